import Foundation
import SheafApp
import SheafStorage
import SheafTestSupport
import Testing

@testable import sheaf

/// The last view of the screen, as other versions and edits by hand left it.
@Suite("The remembered view")
struct ViewFileTests {
    private let folder: TemporaryFolder
    private let file: ViewFile
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        let url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
        let environment = ["XDG_STATE_HOME": folder.file("state")]
        file = try #require(ViewFile(for: FileLocation(url, environment: environment)))
        path = try folder.file("state/sheaf/views/\(url.location.key).json")
        file.write(RememberedView(AppState()))
    }

    private func put(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func view(_ change: (inout RememberedView) -> Void) -> RememberedView {
        var view = RememberedView(AppState())
        change(&view)
        return view
    }

    @Test("what is written is read")
    func roundTrip() {
        let written = view {
            $0.tag = Fixtures.id(1)
            $0.selectedItem = Fixtures.id(2)
            $0.view = Fixtures.id(3)
            $0.showsUntagged = true
            $0.hidesDone = true
            $0.showsInspector = true
            $0.hidesTags = true
            $0.usedActions = ["quit", "undo the last change"]
        }
        file.write(written)
        #expect(file.read() == written)
        #expect(file.unreadableNotice() == nil)
    }

    @Test("a member that a later version adds costs nothing")
    func later() throws {
        file.write(view { $0.hidesDone = true })
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try put("{\"showsMore\":true," + text.dropFirst())
        #expect(file.read() == view { $0.hidesDone = true })
    }

    @Test("what is written without waiting is there for the user alone, and what came later counts")
    func soon() throws {
        for number in 1...20 { file.writeSoon(view { $0.queries = ["\(number)"] }) }
        file.write(view { $0.queries = ["last"] })
        #expect(file.read()?.queries == ["last"])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(
        "a file of an earlier version, or a damaged one, is told of, and put aside",
        arguments: [
            "", "[]", "{\"hi", "\0", "{\"hidesDone\":true,\"showsUntagged\":false}",
            "{\"hidesDone\":true,\"isSortReversed\":false,\"queries\":[],\"sort\":\"name\"}",
        ])
    func unreadable(text: String) throws {
        #expect(file.finding() == nil)
        try put(text)
        #expect(file.read() == nil)
        #expect(file.unreadableNotice()?.contains("unreadable") == true)
        #expect(file.finding()?.text.contains(path + ",") == true)
        file.write(view { $0.hidesDone = true })
        #expect(file.read() == view { $0.hidesDone = true })
        #expect(file.unreadableNotice() == nil)
        #expect(file.finding()?.text.contains(path + ".unreadable,") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".unreadable")) == Data(text.utf8))
    }

    @Test("a FIFO or a link to nothing in its place is put aside too", .timeLimit(.minutes(1)))
    func planted() throws {
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        file.write(view { $0.hidesDone = true })
        #expect(file.read() == view { $0.hidesDone = true })
        unlink(path)
        #expect(symlink("/nowhere/else", path) == 0)
        #expect(file.read() == nil)
        file.write(view { $0.hidesDone = true })
        #expect(file.read() == view { $0.hidesDone = true })
    }
}

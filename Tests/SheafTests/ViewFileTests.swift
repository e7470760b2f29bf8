import Foundation
import SheafCore
import SheafStorage
import SheafTestSupport
import Testing

@testable import sheaf

/// What the screen showed last, as other versions and other hands left it.
@Suite("The remembered view")
struct ViewFileTests {
    private let folder: TemporaryFolder
    private let file: ViewFile
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        let url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
        let environment = ["XDG_STATE_HOME": folder.file("state")]
        file = try #require(ViewFile(for: FilePlace(url, environment: environment).home))
        path = try folder.file("state/sheaf/views/\(url.place.key).json")
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
        #expect(file.complaint() == nil)
    }

    @Test("what is written without waiting is there for the user alone, and what came later counts")
    func soon() throws {
        for number in 1...20 { file.writeSoon(view { $0.queries = ["\(number)"] }) }
        file.write(view { $0.queries = ["last"] })
        #expect(file.read()?.queries == ["last"])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("a file of the first version is read")
    func first() throws {
        try put(
            """
            {"hidesDone":true,"selectedItem":"00000000-0000-4000-8000-000000000002",\
            "showsUntagged":false,"tag":"00000000-0000-4000-8000-000000000001"}
            """)
        #expect(
            file.read()
                == view {
                    $0.tag = Fixtures.id(1)
                    $0.selectedItem = Fixtures.id(2)
                    $0.hidesDone = true
                })
        try put("{\"hidesDone\":false,\"showsUntagged\":true}")
        #expect(file.read() == view { $0.showsUntagged = true })
    }

    @Test("a file of the version before saved views had rows is read")
    func withoutView() throws {
        try put(
            """
            {"hidesDone":false,"isSortReversed":true,"queries":["is:done"],\
            "showsUntagged":true,"sort":"name"}
            """)
        #expect(
            file.read()
                == view {
                    $0.showsUntagged = true
                    $0.sort = .name
                    $0.isSortReversed = true
                    $0.queries = ["is:done"]
                })
    }

    @Test("a file of the version before the inspector and the palette is read")
    func withoutInspector() throws {
        try put(
            """
            {"hidesDone":true,"isSortReversed":false,"queries":["is:done"],"showsUntagged":false,\
            "sort":"created","view":"00000000-0000-4000-8000-000000000003"}
            """)
        #expect(
            file.read()
                == view {
                    $0.hidesDone = true
                    $0.queries = ["is:done"]
                    $0.sort = .created
                    $0.view = Fixtures.id(3)
                })
        try put("{\"hidesDone\":true,\"showsInspector\":1,\"usedActions\":[7]}")
        #expect(file.read() == view { $0.hidesDone = true })
    }

    @Test("members that are missing, new or spoiled do not cost the others")
    func members() throws {
        for text in [
            "{\"hidesDone\":true}",
            "{\"hidesDone\":true,\"sort\":{\"key\":\"name\"},\"showsUntagged\":null}",
            "{\"hidesDone\":true,\"tag\":\"no id\",\"selectedItem\":7,\"showsUntagged\":\"yes\"}",
            "{\"hidesDone\":true,\"view\":\"no id\"}", "{\"hidesDone\":true,\"view\":null}",
        ] {
            try put(text)
            #expect(file.read() == view { $0.hidesDone = true }, "\(text)")
            #expect(file.complaint() == nil)
        }
    }

    @Test(
        "a file that cannot be read is told of, and put aside",
        arguments: ["", "[]", "{\"hi", "\0"])
    func unreadable(text: String) throws {
        try put(text)
        #expect(file.read() == nil)
        #expect(file.complaint()?.contains("unreadable") == true)
        file.write(view { $0.hidesDone = true })
        #expect(file.read() == view { $0.hidesDone = true })
        #expect(file.complaint() == nil)
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

import Foundation
import SheafCore
import SheafStorage
import SheafTestSupport
import Testing

/// What could not be saved once, on its way back into its list.
@Suite("Rescue files as they are taken in")
struct RescueCommandTests {
    private let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
        _ = try sheaf.run("add", "milk", "--store", "work.sqlite")
    }

    /// Writes a rescue file of the list `name`.
    private func rescue(
        of name: String = "work.sqlite", state: String = "state",
        _ edit: (inout StorageChanges) -> Void = { $0.items.upserts = Fixture.items(["bread"]) }
    ) throws -> String {
        var changes = StorageChanges()
        edit(&changes)
        return try RescueFile.write(
            changes, of: StoreURL(.sqlite, path: sheaf.path(name)),
            environment: ["XDG_STATE_HOME": sheaf.path(state)])
    }

    /// The names of the items, in alphabetical order.
    private func names(_ list: String = "work.sqlite") throws -> [String] {
        try sheaf.run("list", "--store", list).output.split(separator: "\n").map(String.init)
            .sorted()
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private var standardList: String { sheaf.path(".local/share/sheaf/sheaf.sqlite") }

    // The list it goes into

    @Test("the command that a hint names takes it in to its own list, odd paths too")
    func asHinted() throws {
        let state = "it's my $HOME"
        let file = try rescue(state: state)
        try sheaf.write(state, to: "name")
        let hint = try sheaf.shell(
            "XDG_STATE_HOME=\"$PWD/$(cat name)\" $SHEAF list --store work.sqlite"
        ).errors
        let command = try #require(hint.firstRange(of: "sheaf restore")).lowerBound
        let typed = hint[command...].dropFirst("sheaf".count)
        let result = try sheaf.shell("\"$SHEAF\"\(typed)")
        #expect(result.output == "Took in 1 change; the file is gone.\n", "\(result.errors)")
        #expect(try names() == ["bread", "milk"])
        #expect(!exists(file))
        #expect(!exists(standardList))
    }

    @Test("it is not taken in to another list, which --store names")
    func otherList() throws {
        _ = try sheaf.run("add", "other", "--store", "other.sqlite")
        let file = try rescue()
        let result = try sheaf.run("restore", file, "--store", "other.sqlite")
        #expect(result.status == 64)
        #expect(result.errors.contains("sqlite:\(sheaf.path("work.sqlite"))"))
        #expect(result.errors.contains("sheaf restore \(file)"))
        #expect(exists(file))
        #expect(try names("other.sqlite") == ["other"])
        #expect(try sheaf.shell("ln -s work.sqlite link.sqlite").status == 0)
        #expect(try sheaf.run("restore", file, "--store", "link.sqlite").status == 0)
        #expect(try names() == ["bread", "milk"])
    }

    @Test("one that does not say of which list it is needs --store")
    func olderFile() throws {
        let file = try rescue()
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        let older = text.replacing(
            #/"list":"[^"]*"/#, with: "\"list\":\"work.sqlite\"")
        try Data(older.utf8).write(to: URL(fileURLWithPath: file))
        let refused = try sheaf.run("restore", file)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("--store"))
        #expect(exists(file))
        #expect(!exists(standardList))
        #expect(try sheaf.run("restore", file, "--store", "work.sqlite").status == 0)
        #expect(try names() == ["bread", "milk"])
    }

    @Test("a list that is gone is not made anew unless --store says so")
    func listGone() throws {
        let file = try rescue(of: "gone.sqlite")
        let refused = try sheaf.run("restore", file)
        #expect(refused.status == 66)
        #expect(refused.errors.contains("--store"))
        #expect(!exists(sheaf.path("gone.sqlite")))
        #expect(try sheaf.run("restore", file, "--store", "work.sqlite").status == 0)
        #expect(try names() == ["bread", "milk"])
        let again = try rescue(of: "gone.sqlite")
        #expect(try sheaf.run("restore", again, "--store", "gone.sqlite").status == 0)
        #expect(try names("gone.sqlite") == ["bread"])
    }
}

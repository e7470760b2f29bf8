import ArgumentParser
import Foundation
import SheafApp
import SheafStorage
import SheafTestSupport
import Testing

@testable import sheaf

/// Commands on a list on a server, run in this process with a server that is none.
@Suite("Commands on a list on a server")
@MainActor
struct ServerCommandTests {
    private let folder: TemporaryFolder
    private let server: FakeServer

    private static let url = "postgresql://me:secret@db.example/lists?list=home"
    private static let shown = "postgresql://me@db.example/lists?list=home"

    init() throws {
        folder = try TemporaryFolder()
        server = FakeServer(
            in: folder.file("."), environment: ["XDG_STATE_HOME": folder.file("state")])
    }

    /// Runs a command as the command line would.
    private func run<Command: ParsableCommand>(
        _ command: Command.Type, _ arguments: String...
    ) throws {
        try Locations.$servers.withValue(server.locations) {
            var command = try command.parse(arguments)
            try command.run()
        }
    }

    private func failure<Command: ParsableCommand>(
        _ command: Command.Type, _ arguments: String...
    ) throws -> CommandFailure {
        try #require(throws: CommandFailure.self) {
            try Locations.$servers.withValue(server.locations) {
                var command = try command.parse(arguments)
                try command.run()
            }
        }
    }

    private func items(_ name: String = "home") async throws -> [Item] {
        let storage = try server.file(name).openStorage(.readOnly)
        return try await storage.allItems()
    }

    /// Leaves the log of a session that added an item and was killed, and says where it is.
    private func leave(_ number: Int = 1) throws -> String {
        let location = try server.location(Self.url)
        let log = try #require(IntentLogFile(for: location))
        try log.append(StorageChanges(items: [Fixtures.item(number)]))
        try log.abandon(in: folder.path)
        return try #require(ExaminedLog.all(for: location).last).path
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("reading and editing work as on a list in a file")
    func edits() async throws {
        try run(AddCommand.self, "milk", "--store", Self.url)
        try run(AddCommand.self, "bread", "--store", Self.url, "--tag", "food")
        #expect(try await items().map(\.name) == ["milk", "bread"])
        let id = try #require(try await items().first?.id.uuidString)
        try run(RenameCommand.self, id, "oat milk", "--store", Self.url)
        try run(DoneCommand.self, id, "--store", Self.url)
        #expect(try await items().first?.name == "oat milk")
        #expect(try await items().first?.isDone == true)
        let export = folder.file("export.json")
        try run(ExportCommand.self, "--store", Self.url, "--output", export)
        try run(DeleteCommand.self, id, "--store", Self.url)
        #expect(try await items().map(\.name) == ["bread"])
        try run(ImportCommand.self, export, "--store", Self.url)
        #expect(Set(try await items().map(\.name)) == ["bread", "oat milk"])
        try run(DoctorCommand.self, "--store", Self.url)
        try run(RestoreCommand.self, "--store", Self.url)
    }

    @Test("the next command saves what a killed session left")
    func recovered() async throws {
        try run(AddCommand.self, "milk", "--store", Self.url)
        let log = try leave()
        try run(CountCommand.self, "--store", Self.url)
        #expect(Set(try await items().map(\.name)) == ["milk", "item 1"])
        #expect(!exists(log))
    }

    @Test("a log finds its list by itself")
    func restoredLog() async throws {
        try run(AddCommand.self, "milk", "--store", Self.url)
        let moved = folder.file("moved")
        let log = try leave()
        for suffix in ["", "-wal"] where exists(log + suffix) {
            try FileManager.default.moveItem(atPath: log + suffix, toPath: moved + suffix)
        }
        try run(RestoreCommand.self, moved)
        #expect(Set(try await items().map(\.name)) == ["milk", "item 1"])
        #expect(!exists(moved))
    }

    @Test("a log that others can write to is not asked which server to speak to")
    func trap() async throws {
        try run(AddCommand.self, "milk", "--store", Self.url)
        let log = try leave()
        #expect(chmod(log, 0o666) == 0)
        let failure = try failure(RestoreCommand.self, log)
        #expect(failure.status == .usage)
        #expect(failure.description.contains("--store"))
        #expect(exists(log))
        try run(RestoreCommand.self, log, "--store", Self.url)
        #expect(Set(try await items().map(\.name)) == ["milk", "item 1"])
    }

    @Test("a log is taken in to another list by force alone, also if its own cannot be reached")
    func otherList() async throws {
        try run(AddCommand.self, "milk", "--store", Self.url)
        let log = try leave()
        let other = folder.file("other.sqlite")
        try run(AddCommand.self, "other", "--store", other)
        let failure = try failure(RestoreCommand.self, log, "--store", other)
        #expect(failure.status == .usage)
        #expect(failure.description.contains(Self.shown))
        #expect(exists(log))
        server.stop()
        let unreached = try self.failure(RestoreCommand.self, log, "--store", other)
        #expect(unreached.status == .usage)
        #expect(unreached.description.contains("--force applies it to"))
        #expect(exists(log))
        try run(RestoreCommand.self, log, "--store", other, "--force")
        #expect(!exists(log))
    }

    @Test("a list that is gone from its server is not made anew for a log")
    func listGone() throws {
        let log = try leave()
        let error = #expect(throws: StorageError.self) { try run(RestoreCommand.self, log) }
        #expect(error?.code == .notFound)
        #expect(exists(log))
    }

    @Test("what only a list in a file has says what to do instead, and names no password")
    func filesOnly() throws {
        try run(AddCommand.self, "milk", "--store", Self.url)
        let copy = folder.file("copy.json")
        try Data("[]".utf8).write(to: URL(fileURLWithPath: copy))
        let failures = [
            (try failure(BackupCommand.self, copy, "--store", Self.url), "sheaf export --store"),
            (try failure(RestoreCommand.self, copy, "--store", Self.url), "sheaf import --store"),
            (
                try failure(DoctorCommand.self, "--recover", "new", "--store", Self.url),
                "sheaf copy '\(Self.shown)' NEWFILE"
            ),
        ]
        for (failure, words) in failures {
            #expect(failure.status == .usage)
            #expect(failure.description.hasPrefix("\(Self.shown): "))
            #expect(failure.description.contains(words))
            #expect(!failure.description.contains("secret"))
        }
    }

    @Test("a URL without --store is not repeated: a password may be in it")
    func urlAlone() async throws {
        let result = try await SheafBinary().run(Self.url)
        #expect(result.status == 64)
        #expect(result.errors.contains("sheaf --store"))
        #expect(!result.errors.contains("secret"))
    }

    @Test("the client library says nothing of its own on the screen")
    func silence() async throws {
        let sheaf = try SheafBinary()
        // It warns of such a file before it connects.
        try sheaf.write("*:*:*:*:secret\n", to: ".pgpass")
        #expect(chmod(sheaf.path(".pgpass"), 0o644) == 0)
        let result = try await sheaf.run(
            "count", "--store", "postgresql://me@127.0.0.1:1/lists?list=home")
        #expect(result.status == 75)
        #expect(result.errors.hasPrefix("sheaf: postgresql:"))
        #expect(result.errors.count(where: \.isNewline) == 1)
    }

    @Test("its view is remembered under a name that does not tell the list")
    func view() throws {
        let view = try #require(ViewFile(for: try server.location(Self.url)))
        view.write(RememberedView(AppState()))
        #expect(view.read() != nil)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.file("state/sheaf/views"))
        #expect(names.count == 1)
        #expect(!names[0].contains("example"))
    }

    @Test("a list is copied to a server and from it")
    func copied() async throws {
        let source = folder.file("a.sqlite")
        try run(DemoCommand.self, "--items", "100", "--store", source)
        try run(CopyCommand.self, source, Self.url)
        try run(CopyCommand.self, Self.url, folder.file("b.sqlite"))
        let lists = try [source, folder.file("b.sqlite")].map {
            try StoreURL($0).location.openStorage(.readOnly)
        }
        #expect(try await lists[0].allItems() == lists[1].allItems())
        #expect(try await items() == lists[0].allItems())
        let failure = try failure(CopyCommand.self, Self.url, Self.shown)
        #expect(failure.description == "\(Self.shown): this is the list itself; name another place")
    }

    @Test("a URL with a password is wrong usage, before any server is asked")
    func password() throws {
        let error = #expect(throws: StoreURLError.self) {
            let command = try CountCommand.parse(["--store", "postgres://a:secret@h/d?list=a"])
            try command.run()
        }
        #expect(error?.description.contains("secret") == false)
    }
}

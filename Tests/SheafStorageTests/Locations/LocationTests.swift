import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// The files that belong to a list on a server, without any server.
@Suite("Lists on servers")
@MainActor
struct LocationTests {
    private let folder: TemporaryFolder
    private let server: FakeServer
    private let environment: [String: String]

    /// As a user may type it who has not read how passwords are given.
    private static let url = "postgresql://me:secret@db.example/lists?list=home"
    private static let shown = "postgresql://me@db.example/lists?list=home"

    init() throws {
        folder = try TemporaryFolder()
        environment = ["XDG_STATE_HOME": folder.file("state")]
        server = FakeServer(in: folder.file("."), environment: environment)
    }

    private var locations: Locations {
        Locations(environment: environment, servers: server.locations)
    }

    private func location(_ url: String = Self.url) throws -> any Location {
        try locations.named(url)
    }

    /// Leaves the log of a session that added an item and was killed, and says where it is.
    private func leave(_ number: Int = 1, of url: String = Self.url) throws -> String {
        let before = try location(url).logs()
        let log = try #require(IntentLogFile(for: try location(url)))
        try log.append(StorageChanges(items: [Fixtures.item(number)]))
        try log.abandon(in: folder.path)
        return try #require(
            try location(url).logs().first { !before.contains($0) })
    }

    private func make(_ changes: StorageChanges = StorageChanges()) async throws {
        let storage = try server.file("home").openStorage(.readWriteCreate)
        _ = try await storage.commit(changes)
        await storage.close()
    }

    private func items() async throws -> [Item] {
        let storage = try server.file("home").openStorage(.readOnly)
        return try await storage.allItems()
    }

    /// All files of the state folder, with their contents.
    private func stateFiles() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("state"))
        var files: [String: Data] = [:]
        for name in names {
            let path = folder.file("state/\(name)")
            if try status(of: path).st_mode & S_IFMT == S_IFREG {
                files[name] = try Data(contentsOf: URL(fileURLWithPath: path))
            }
        }
        return files
    }

    // Names

    @Test(
        "the schemes of PostgreSQL name a server, in any case",
        arguments: ["postgresql://h/d?list=a", "postgres://h/d?list=a", "PostgreSQL://h/d?list=a"])
    func schemes(_ text: String) throws {
        let location = try location(text)
        #expect(location.file == nil)
        #expect(location.name == text)
        #expect(location.address == text)
    }

    @Test("anything else names a file, and memory: one only where it may")
    func others() throws {
        for text in ["./postgresql:x", "postgresql", "postgresql.sqlite", "sqlite:postgres:x"] {
            #expect(try location(text).file != nil, "\(text)")
        }
        #expect(throws: StoreURLError.self) { try location("memory:") }
        let memory = try locations.named("memory:", allowsMemory: true)
        #expect(IntentLogFile(for: memory) == nil)
        #expect(memory.file == nil && memory.state == nil)
    }

    @Test("what names a list in a log is read again")
    func origins() throws {
        #expect(StoreURL(address: "sqlite:/a/b") == StoreURL(.sqlite, path: "/a/b"))
        for text in [Self.shown, "sqlite:b", "/a/b", "https://example.org", "mysql://h/d", ""] {
            #expect(StoreURL(address: text) == nil, "\(text)")
        }
        #expect(try location(Self.shown).key == location().key)
    }

    // Logs

    @Test("the log lies in the state folder for this user alone, and names the list")
    func log() throws {
        let path = try leave()
        #expect(path.hasPrefix(folder.file("state/sheaf/intents-")))
        #expect(path.contains("-\(try location().key)-"))
        #expect(try status(of: path).st_mode & 0o777 == 0o600)
        #expect(try AbandonedLog.named(path)?.list == Self.shown)
    }

    @Test("no password is in the name of a file, nor in one")
    func noPassword() throws {
        _ = try leave()
        let files = try stateFiles()
        #expect(!files.isEmpty)
        for (name, data) in files {
            #expect(!name.contains("secret"))
            #expect(data.range(of: Data("secret".utf8)) == nil, "\(name)")
            #expect(!name.contains("db.example"), "the host is nobody's business")
        }
    }

    @Test("the next process that opens the list saves what a killed one left")
    func recovered() async throws {
        try await make(StorageChanges(items: [Fixtures.item(9)]))
        let path = try leave()
        let list = try await location().open(.readWrite)
        #expect(list.notice == "Recovered 1 unsaved change of an interrupted session")
        #expect(try await items().map(\.name) == ["item 1", "item 9"])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a server that does not answer leaves the log, and the screen opens all the same")
    func unreachable() async throws {
        let path = try leave()
        server.stop()
        let location = try location()
        let error = await #expect(throws: StorageError.self) { @MainActor in
            _ = try await location.open(.readWrite)
        }
        #expect(error?.code == .busy)
        let list = try await location.openForScreen(.readWriteBegin)
        #expect(list.obstacle == "the server does not answer")
        #expect(FileManager.default.fileExists(atPath: path))
        let log = try #require(IntentLogFile(for: location))
        #expect(await log.abandoned().batches == [StorageChanges(items: [Fixtures.item(1)])])
    }

    @Test("a list that may only be read does not take it, and says so")
    func reader() async throws {
        try await make()
        let path = try leave()
        server.makeReaders()
        let list = try await location().open(.readWrite)
        #expect(list.notice?.hasPrefix("Not in the list: 1 unsaved change") == true)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("what is kept at the end is there at the next start")
    func kept() async throws {
        let log = try #require(IntentLogFile(for: try location()))
        let changes = StorageChanges(items: [Fixtures.item(1)])
        let path = try await log.keep(changes)
        log.close()
        #expect(path.hasPrefix(folder.file("state/sheaf/intents-")))
        #expect(AbandonedLogs(for: try location()).content.batches == [changes])
    }

    @Test("a log that cannot be kept says so")
    func notKept() async throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("state")))
        let log = try #require(IntentLogFile(for: try location()))
        let changes = StorageChanges(items: [Fixtures.item(1)])
        #expect(throws: StorageError.self) { try log.append(changes) }
        await #expect(throws: StorageError.self) { @MainActor in
            try await log.keep(changes)
        }
    }

    @Test("without a home folder there is no log, and the list opens")
    func homeless() async throws {
        let server = FakeServer(in: folder.file("."), environment: [:])
        let location = try Locations(environment: [:], servers: server.locations).named(Self.url)
        #expect(IntentLogFile(for: location) == nil)
        #expect(AbandonedLogs(for: location).count == 0)
        #expect(location.rescueFiles() == [])
        #expect(try await location.open(.readWriteCreate).notice == nil)
    }

    // The doctor

    @Test("the doctor names its logs and rescue files, and how backups are made")
    func examined() async throws {
        try await make(StorageChanges(items: [Fixtures.item(9)]))
        let log = try leave()
        let folder = try #require(try location().state)
        let name = "rescue-\(try location().server?.urlKey ?? "")-1.json"
        try folder.write(Array("{}".utf8), to: name)
        let diagnosis = try await location().examine()
        let texts = diagnosis.findings.map(\.text)
        #expect(texts.contains("1 item, 0 tags"))
        #expect(texts.contains { $0.contains(log) && $0.hasPrefix("not saved") })
        #expect(texts.contains { $0.contains(name) })
        let advice = diagnosis.findings.compactMap(\.advice)
        #expect(advice.contains { $0.hasPrefix("sheaf export --store '\(Self.shown)'") })
        #expect(diagnosis.refusal == nil)
        server.stop()
        #expect(try await location().examine().refusal == .busy)
    }
}

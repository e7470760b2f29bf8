import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafPostgres

/// A copy of a database answers in its place, as that of a dump does at an address or on the second
/// of several hosts.
@Suite("A copy of a database that answers in its place")
struct CopiedDatabaseTests {
    private let list: OneList
    private let copy: String
    private let folder: TemporaryFolder

    /// Both databases have one item.
    init() async throws {
        folder = try TemporaryFolder()
        list = try OneList.inNewDatabase()
        copy = "\(list.database)_copy"
        let storage = try list.open("anna")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        await storage.close()
        try list.server.sql("CREATE DATABASE \(copy) TEMPLATE \(list.database)")
    }

    /// Gives each database the name of the other and ends the sessions.
    private func exchange() throws {
        let names = [list.database, copy]
        for (old, new) in [(names[0], "\(copy)_2"), (names[1], names[0]), ("\(copy)_2", names[1])] {
            try list.server.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(old)'")
            try list.server.sql("ALTER DATABASE \(old) RENAME TO \(new)")
        }
    }

    private func count(in database: String) throws -> String {
        try list.server.sql("SELECT count(*) FROM sheaf.items", in: database)
    }

    private func location(hosts: Int = 1, port: Int? = nil) throws -> PostgresLocation {
        let text = try list.url("anna", port: port).description
        let host = "localhost:\(port ?? list.server.port)"
        let hosts = Array(repeating: host, count: hosts).joined(separator: ",")
        return try PostgresLocation(
            text.replacing(host, with: hosts), environment: ["XDG_STATE_HOME": folder.path])
    }

    /// Returns the reason of the first failure other than a connection that is broken or was not
    /// made a moment ago.
    private func reason(_ body: () async throws -> Void) async throws -> String {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            do {
                try await body()
                return "none"
            } catch let error as StorageError where error.code == .busy {
                if error.reason.contains("another database") { return error.reason }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        return "waited in vain"
    }

    private func succeed(_ body: () async throws -> Void) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            do {
                return try await body()
            } catch let error as StorageError where error.code == .busy && .now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test("is neither written to nor read by an open screen, which goes on with the first one")
    func reconnection() async throws {
        let storage = try list.open("anna")
        #expect(try await storage.itemCount() == 1)
        try exchange()
        let changes = StorageChanges(items: [Fixtures.item(2)])
        let expected =
            "this is another database that holds a copy of the list; your changes are kept for the"
            + " first one"
        let written = try await reason { _ = try await storage.commit(changes) }
        #expect(written == expected)
        let fetched = try await reason {
            _ = try await storage.externalChanges { StorageChanges() }
        }
        #expect(fetched == expected)
        #expect(try count(in: list.database) == "1")
        try exchange()
        try await succeed { _ = try await storage.commit(changes) }
        #expect(try count(in: list.database) == "2")
        #expect(try count(in: copy) == "1")
    }

    @Test("is not taken for the list that a screen began to edit before it reached the server")
    func opening() async throws {
        let proxy = try Proxy(to: list.server.port)
        let location = try location(port: proxy.port)
        await (try location.openStorage(.readWrite, timeout: .zero)).close()
        proxy.cut()
        let (storage, obstacle) = try location.openStorageLater(.readWrite)
        #expect(obstacle != nil)
        try exchange()
        proxy.restore()
        let loaded = try await reason { _ = try await storage.loadTags() }
        #expect(loaded != "none")
        try exchange()
        let changes = StorageChanges(items: [Fixtures.item(2)])
        try await succeed { _ = try await storage.commit(changes) }
        #expect(try count(in: list.database) == "2")
        #expect(try count(in: copy) == "1")
    }

    @Test(
        "is not opened as one of several hosts, until the user says that it has replaced the first")
    func severalHosts() async throws {
        func open(hosts: Int) async throws {
            let location = try location(hosts: hosts)
            await (try location.openStorage(.readWrite, timeout: .zero)).close()
        }
        try await open(hosts: 1)
        try await open(hosts: 2)
        try exchange()
        try await open(hosts: 1)
        let error = await #expect(throws: StorageError.self) { try await open(hosts: 2) }
        #expect(error?.reason == "this is another database that holds a copy of the list")
        #expect(error?.advice?.contains("sheaf share use") == true)
        let state = StateFolder(environment: ["XDG_STATE_HOME": folder.path])
        let sharing = try PostgresSharing(list.url("anna"), state: state)
        _ = try sharing.use(list.id.uuidString)
        try await open(hosts: 2)
    }
}

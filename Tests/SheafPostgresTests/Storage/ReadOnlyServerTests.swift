import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafPostgres

@Suite("A server that takes no more writes")
struct ReadOnlyServerTests {
    private let list: OneList

    init() throws {
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        let server = try SharedLists.server()
        try server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: server)
        list = try OneList(in: database)
    }

    /// Has the server's only session refuse to write, as one that was set to read-only does.
    private func refuseWrites() throws {
        let session = """
            SELECT pid FROM pg_stat_activity
            WHERE application_name = 'sheaf' AND datname = '\(list.database)'
            """
        try list.sql(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              IF pg_backend_pid() = \(try list.sql(session)) THEN
                RAISE 'read-only' USING ERRCODE = '25006';
              END IF;
              RETURN NEW;
            END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON sheaf.items
              FOR EACH ROW EXECUTE FUNCTION refuse()
            """)
    }

    @Test("is left for another one, if the URL names several")
    func several() async throws {
        let text = try list.url("anna").description
        let port = "localhost:\(list.server.port)"
        let several = text.replacing(port, with: "\(port),\(port)")
        let storage = try PostgresStorage(
            PostgresURL(several, environment: [:]), mode: .readWrite)
        try refuseWrites()
        let changes = StorageChanges(items: [Fixtures.item(1)])
        let error = await #expect(throws: StorageError.self) { try await storage.commit(changes) }
        #expect(error?.reason == "the server is a standby, or set to read-only")
        _ = try await storage.commit(changes)
        #expect(try await storage.itemCount() == 1)
    }

    @Test("is left by a screen that only looks, too")
    func idle() throws {
        let server = try PostgresServer()
        defer { server.remove() }
        try SharedLists.setUp("lists", on: server)
        let text = server.url("anna")
        try PostgresSharing(PostgresURL(text, environment: [:])).create("home")
        let port = "localhost:\(server.port)"
        let several = text.replacing(port, with: "\(port),\(port)")
        let session = PostgresSession(try PostgresURL(several, environment: [:]), mode: .readWrite)
        try session.connect()
        #expect(!session.hasExternalChanges())
        try server.sql("ALTER SYSTEM SET default_transaction_read_only = on")
        try server.sql("SELECT pg_reload_conf()")
        // The server's processes hear of it one by one.
        for _ in 0..<1_000 where session.connection != nil { _ = session.hasExternalChanges() }
        #expect(session.connection == nil)
    }

    @Test("is asked again where it is the only one")
    func one() async throws {
        let storage = try list.open("anna")
        try refuseWrites()
        let changes = StorageChanges(items: [Fixtures.item(1)])
        await #expect(throws: StorageError.self) { try await storage.commit(changes) }
        await #expect(throws: StorageError.self) { try await storage.commit(changes) }
        try list.sql("DROP TRIGGER refuse ON sheaf.items")
        _ = try await storage.commit(changes)
    }

    /// Sets the database to read-only, or takes that back, and ends the sessions.
    private func freeze(_ isReadOnly: Bool) throws {
        try list.server.sql(
            """
            ALTER DATABASE \(list.database)
              \(isReadOnly ? "SET default_transaction_read_only = on" : "RESET ALL")
            """)
        guard isReadOnly else { return }
        try list.server.sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = '\(list.database)'
            """)
    }

    /// Calls `body` until it succeeds, or returns false after 20 seconds.
    private func succeeds(_ body: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            do {
                if try await body() { return true }
            } catch let error as StorageError where error.code == .busy {}
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    @Test("is asked by a new connection, which the end of its setting reaches")
    func frozen() async throws {
        let storage = try list.open("anna")
        let changes = StorageChanges(items: [Fixtures.item(1)])
        let standby = "the server is a standby, or set to read-only"
        try freeze(true)
        let refused = try await succeeds {
            do {
                _ = try await storage.commit(changes)
                return false
            } catch let error as StorageError where error.reason == standby {
                return true
            }
        }
        #expect(refused)
        #expect(storage.readOnlyReason == nil)
        #expect(try await storage.itemCount() == 0)
        try freeze(false)
        #expect(
            try await succeeds {
                _ = try await storage.commit(changes)
                return true
            })
    }

    @Test(
        "opens a list that can only be read, until a look or another try finds that it takes writes",
        arguments: [true, false])
    func opened(looks: Bool) async throws {
        try freeze(true)
        let storage = try list.open("anna")
        let reason = "The server is a standby, or set to read-only."
        #expect(storage.readOnlyReason == reason)
        let watch = storage.watch {}
        let changes = StorageChanges(items: [Fixtures.item(1)])
        let error = await #expect(throws: StorageError.self) { try await storage.commit(changes) }
        #expect(error?.code == .busy)
        await storage.recheckAccess()
        #expect(storage.readOnlyReason == reason)
        try freeze(false)
        #expect(
            try await succeeds {
                guard looks else {
                    _ = try await storage.commit(changes)
                    return true
                }
                _ = storage.queue.sync { storage.session.hasExternalChanges() }
                await storage.recheckAccess()
                return storage.readOnlyReason == nil
            })
        #expect(storage.readOnlyReason == nil)
        if looks { _ = try await storage.commit(changes) }
        withExtendedLifetime(watch) {}
    }
}

import Foundation
import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

/// Commits that the server has taken and does not answer.
@Suite("Commits that wait on the server")
struct WaitingCommitTests {
    private let item = StorageChanges(items: [Fixtures.item(1)])
    private let other = StorageChanges(items: [Fixtures.item(2)])

    private func failure(_ changes: StorageChanges, on storage: PostgresStorage) async throws
        -> StorageError
    {
        try #require(
            await #expect(throws: StorageError.self) { try await storage.commit(changes) })
    }

    /// A server of its own whose commits wait for a standby that is not there, and the URL of a
    /// list on it.
    private func serverWithoutStandby() throws -> (PostgresServer, PostgresURL) {
        let server = try PostgresServer()
        try SharedLists.setUp("lists", on: server)
        let url = try PostgresURL(server.url("anna", list: "home"), environment: [:])
        try PostgresSharing(url).create("home")
        // Hides warnings, unless a connection asks for them.
        try server.sql("ALTER ROLE anna SET client_min_messages = error")
        try server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nosuch'")
        // A process of the server reloads the setting in its own time.
        try server.stop("fast")
        try server.start()
        return (server, url)
    }

    private func endWaiting(on server: PostgresServer) throws {
        try server.sql("ALTER SYSTEM RESET synchronous_standby_names")
        try server.sql("SELECT pg_reload_conf()")
    }

    @Test("for the synchronous standby may have saved the edit, and nothing is to be ended")
    func standby() async throws {
        let (server, url) = try serverWithoutStandby()
        defer { server.remove() }
        let first = try PostgresStorage(url, mode: .readWrite)
        let second = try PostgresStorage(url, mode: .readWrite)
        let lost = try await failure(item, on: first)
        #expect(lost.code == .busy)
        #expect(lost.reason == "the server waits for its standby")
        #expect(lost.advice?.hasPrefix("The edit may have been saved") == true)
        #expect(lost.isOutcomeUnknown)
        let locked = try await failure(other, on: second)
        #expect(locked.code == .busy)
        #expect(locked.reason == "the server waits for its standby")
        #expect(locked.advice == nil)
        #expect(!locked.isOutcomeUnknown)
        try endWaiting(on: server)
        let end = ContinuousClock.now + .seconds(20)
        while try await second.itemCount() == 0, .now < end { await Task.yield() }
        #expect(try await second.itemCount() == 1)
    }

    /// Cancels the next statement that waits for the standby.
    private func cancelWait(on server: PostgresServer) async throws {
        let end = ContinuousClock.now + .seconds(20)
        let cancel = """
            SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
            """
        while try server.sql(cancel) != "t" {
            try #require(ContinuousClock.now < end, "nothing waits for the standby")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test("for the standby and are canceled are known as saved only once the standby has them")
    func canceled() async throws {
        let (server, url) = try serverWithoutStandby()
        defer { server.remove() }
        let storage = try PostgresStorage(url, mode: .readWrite)
        // The commit itself, and the question whether the server has made it.
        for _ in 1...2 {
            async let commit = failure(item, on: storage)
            try await cancelWait(on: server)
            let lost = try await commit
            #expect(lost.code == .busy)
            #expect(lost.reason == "the server stopped waiting for its standby")
            #expect(lost.isOutcomeUnknown && storage.mayHaveCommitted)
        }
        try endWaiting(on: server)
        #expect(try await storage.commit(item).conflicts.isEmpty)
        #expect(!storage.mayHaveCommitted)
        #expect(try await storage.itemCount() == 1)
    }

    @Test("for the standby and are canceled give no right that is called given")
    func canceledRight() async throws {
        let (server, url) = try serverWithoutStandby()
        defer { server.remove() }
        let sharing = try PostgresSharing(url)
        let inviting = Task.detached { _ = try sharing.invite("ben", to: .write) }
        try await cancelWait(on: server)
        await #expect(throws: StorageError.self) { try await inviting.value }
    }

    @Test("for a commit of the same role are not advised to end it")
    func ownCommit() async throws {
        let list = try OneList.inNewDatabase()
        let database = list.database
        try list.sql(
            """
            CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql
              AS $$ BEGIN PERFORM pg_sleep(12); RETURN NEW; END $$;
            CREATE TRIGGER wait BEFORE INSERT ON sheaf.commits
              FOR EACH ROW EXECUTE FUNCTION public.wait()
            """)
        let (first, second) = (try list.open("anna"), try list.open("anna"))
        let item = item
        let commit = Task { try await first.commit(item) }
        try await list.wait(
            until: "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'"
                + " AND wait_event = 'PgSleep'")
        let locked = try await failure(other, on: second)
        #expect(locked.reason == "the server is still working on an earlier commit")
        #expect(locked.advice == nil)
        await #expect(throws: StorageError.self) { try await commit.value }
    }

    @Test("on a server that takes connections and says nothing are told within ten seconds")
    func silent() async throws {
        let list = try OneList()
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        proxy.loseAnswers()
        let start = ContinuousClock.now
        let lost = try await failure(item, on: storage)
        #expect(lost.reason == "the server does not answer")
        // Asking why takes another connection, which is made within the ten seconds: its timeout
        // alone is four.
        #expect(ContinuousClock.now - start < .seconds(13))
    }

    @Test("for the transaction of another role are told how to end it")
    func others() async throws {
        let list = try OneList()
        let storage = try list.open("anna")
        let holder = try OpenTransaction(
            list, as: "owner", "BEGIN; SELECT FROM sheaf.lists WHERE id = LIST FOR UPDATE")
        let locked = try await failure(item, on: storage)
        holder.end()
        #expect(locked.advice?.contains("pg_terminate_backend") == true)
    }

    @Test("longer than the server lets a statement wait are told which setting that is")
    func limited() async throws {
        let list = try OneList()
        let url = list.server.url("anna", list: list.id.uuidString)
        let storage = try PostgresStorage(
            PostgresURL("\(url)&options=-c%20statement_timeout%3D300", environment: [:]),
            mode: .readWrite)
        let holder = try OpenTransaction(
            list, as: "owner", "BEGIN; SELECT FROM sheaf.lists WHERE id = LIST FOR UPDATE")
        let limited = try await failure(item, on: storage)
        holder.end()
        #expect(limited.code == .busy)
        #expect(limited.advice?.contains("Set a longer statement_timeout") == true)
    }
}

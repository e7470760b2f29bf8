import Foundation
import SheafList
import SheafPostgres
import SheafStorage
import SheafTestSupport
import Testing

@Suite("Answers that are lost")
struct LostAnswerTests {
    private let list: OneList

    init() throws { list = try OneList() }

    /// A commit of `changes` that the server makes, and whose answer does not arrive.
    private func commitInVain(
        _ changes: StorageChanges, _ storage: PostgresStorage, _ proxy: Proxy,
        on other: OneList? = nil
    ) async throws {
        let list = other ?? list
        let before = try list.sql("SELECT last_number FROM sheaf.lists WHERE id = LIST")
        proxy.loseAnswers()
        let cutting = Task.detached {
            while !Task.isCancelled,
                try list.sql("SELECT last_number FROM sheaf.lists WHERE id = LIST") == before
            {
                await Task.yield()
            }
            proxy.cut()
        }
        let error = await #expect(throws: StorageError.self) {
            try await storage.commit(changes)
        }
        #expect(error?.code == .busy)
        cutting.cancel()
        try await cutting.value
        #expect(try list.sql("SELECT last_number FROM sheaf.lists WHERE id = LIST") != before)
        proxy.restore()
    }

    /// Calls `body` until the server can be asked again: not at once after it refused a connection,
    /// nor after the silence that an answer lost on a busy machine is.
    private func retrying<T>(_ body: () async throws -> T) async throws -> T {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await body()
            } catch let error as StorageError where error.code == .busy {
                guard ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func commit(
        _ changes: StorageChanges, _ storage: PostgresStorage
    ) async throws -> CommitResult {
        try await retrying { try await storage.commit(changes) }
    }

    @Test("what was committed is known again: no conflict, and nothing twice")
    func edited() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let item = Fixtures.item(1, "one")
        _ = try await storage.commit(StorageChanges(items: [item]))
        let second = edit(item) { $0.name = "two" }
        try await commitInVain(second, storage, proxy)
        // The edit that failed is sent again with the next one, from where it began.
        let third = edit(item) { $0.name = "three" }
        let result = try await commit(third, storage)
        #expect(result.conflicts.isEmpty)
        #expect(try await storage.allItems().map(\.name) == ["three"])
        #expect(try await storage.allItems().first?.note == "")
        #expect(try await storage.externalChanges { StorageChanges() }.changes.isEmpty)
    }

    @Test("the next fetch tells what was committed, beside a later edit of others")
    func fetched() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let item = Fixtures.item(1, "one")
        _ = try await storage.commit(StorageChanges(items: [item]))
        let second = edit(item) { $0.name = "two" }
        try await commitInVain(second, storage, proxy)
        let other = try list.open("anna")
        let theirs = try #require(try await other.allItems().first)
        _ = try await other.commit(edit(theirs) { $0.name = "one" })
        let fetched = try await retrying {
            try await storage.externalChanges { StorageChanges() }
        }
        #expect(fetched.confirmed == second)
        #expect(fetched.changes.items.upserts.map(\.name) == ["one"])
        #expect(try await storage.externalChanges { StorageChanges() }.confirmed == nil)
    }

    @Test("an insertion and a deletion are made once")
    func inserted() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let changes = StorageChanges(items: [Fixtures.item(1)])
        try await commitInVain(changes, storage, proxy)
        let again = try await commit(changes, storage)
        #expect((again.conflicts.count, again.refused.count) == (0, 0))
        #expect(try await storage.itemCount() == 1)
        var deletion = StorageChanges()
        deletion.items.delete([Fixtures.itemID(1)])
        deletion.items[Fixtures.itemID(1)]?.before = changes.items.upserts[0]
        try await commitInVain(deletion, storage, proxy)
        #expect(try await commit(deletion, storage).conflicts.isEmpty)
        #expect(try await storage.itemCount() == 0)
        #expect(try await storage.externalChanges { StorageChanges() }.changes.isEmpty)
    }

    @Test("what another process deleted in between is not made again")
    func deletedSince() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let old = Fixtures.item(1, "old")
        _ = try await storage.commit(StorageChanges(items: [old]))
        var changes = edit(old) { $0.name = "renamed" }
        changes.items.upsert(Fixtures.item(2, "new"))
        try await commitInVain(changes, storage, proxy)
        let other = try list.open("anna")
        for item in try await other.allItems() {
            _ = try await other.commit(StorageChanges(deletingItems: [item.id]))
        }
        let result = try await commit(changes, storage)
        #expect(result.conflicts.isEmpty && result.isBehind)
        #expect(try await other.itemCount() == 0)
        let fetched = try await storage.externalChanges { StorageChanges() }
        #expect(Set(fetched.changes.items.deletions) == Set(changes.items.upserts.map(\.id)))
        #expect(fetched.changes.items.upserts.isEmpty)
    }

    @Test("what was deleted after the first of two lost answers is not made again, either")
    func twoLost() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(9)]))
        let first = StorageChanges(items: [Fixtures.item(1)])
        try await commitInVain(first, storage, proxy)
        // Connects again, and asks for no commit.
        _ = try await commit(StorageChanges(), storage)
        // The next commit learns of the first and waits for this, until answers are lost again.
        let blocker = try OpenTransaction(
            list, as: "owner", "BEGIN; LOCK TABLE sheaf.tombstones IN SHARE MODE")
        let both = StorageChanges(items: [Fixtures.item(1), Fixtures.item(2)])
        let second = Task { try await storage.commit(both) }
        try await list.wait(
            until: "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                + " WHERE NOT l.granted AND l.relation = 'sheaf.tombstones'::regclass"
                + " AND a.usename = 'anna'")
        proxy.loseAnswers()
        let before = try list.sql("SELECT last_number FROM sheaf.lists WHERE id = LIST")
        try blocker.run("ROLLBACK")
        try await list.wait(
            until: "SELECT count(*) FROM sheaf.lists WHERE id = LIST AND last_number > \(before)")
        proxy.cut()
        await #expect(throws: StorageError.self) { try await second.value }
        proxy.restore()
        _ = try await list.open("anna").commit(
            StorageChanges(deletingItems: [Fixtures.itemID(1)]))
        #expect(try await commit(both, storage).conflicts.isEmpty)
        let names = try await list.open("anna").allItems().map(\.name)
        #expect(names == ["item 2", "item 9"])
    }

    @Test("what a deletion took away that was made is inserted again by its undo")
    func undoneDeletion() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let item = Fixtures.item(1, "one")
        _ = try await storage.commit(StorageChanges(items: [item, Fixtures.item(2)]))
        var deletion = StorageChanges(deletingItems: [item.id])
        deletion.items[item.id]?.before = item
        try await commitInVain(deletion, storage, proxy)
        var undo = StorageChanges(items: [item])
        undo.items[item.id]?.before = item
        #expect(try await commit(undo, storage).conflicts.isEmpty)
        #expect(try await storage.itemCount() == 2)
    }

    @Test("what another process did in between is still a conflict")
    func others() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let item = Fixtures.item(1, "one")
        _ = try await storage.commit(StorageChanges(items: [item]))
        try await commitInVain(edit(item) { $0.name = "two" }, storage, proxy)
        let other = try list.open("anna")
        let theirs = try #require(try await other.allItems().first)
        #expect(theirs.name == "two")
        _ = try await other.commit(edit(theirs) { $0.name = "theirs" })
        let result = try await commit(edit(item) { $0.name = "three" }, storage)
        #expect(result.conflicts.count == 1)
        let stored = try #require(try await other.allItems().first)
        #expect([stored.name, stored.note] == ["three", "was: theirs"])
    }

    @Test(
        "what was committed before a kill does not come back after its deletion, and what was not does",
        arguments: [false, true])
    @MainActor
    func killed(goesOn: Bool) async throws {
        let folder = try TemporaryFolder()
        func location(port: Int? = nil) throws -> PostgresLocation {
            try PostgresLocation(
                list.url("anna", port: port).description,
                environment: ["XDG_STATE_HOME": folder.path])
        }
        let proxy = try Proxy(to: list.server.port)
        let typed = try location(port: proxy.port)
        let storage = try PostgresStorage(
            list.url("anna", port: proxy.port), at: typed.server, mode: .readWrite)
        let log = try #require(IntentLogFile(for: typed))
        var changes = StorageChanges(items: [Fixtures.item(1)])
        try log.append(changes)
        try log.handOver()
        try await commitInVain(changes, storage, proxy)
        if goesOn {
            proxy.cut()
            let later = StorageChanges(items: [Fixtures.item(2)])
            changes.add(later)
            try log.append(later)
            try log.handOver()
            await #expect(throws: StorageError.self) { try await storage.commit(changes) }
        }
        try log.abandon(in: folder.path)
        _ = try await list.open("anna").commit(
            StorageChanges(deletingItems: [Fixtures.itemID(1)]))

        let address = "anna@localhost:\(proxy.port)"
        let direct = try location()
        _ = try direct.openStorage(.readOnly, timeout: .zero)
        #expect(ExaminedLog.all(for: direct).map(\.address) == [address])
        let open = try await direct.open(.readWrite)
        let sentence = "Recovered 1 unsaved change of an interrupted session at \(address)"
        #expect(open.notice == (goesOn ? sentence : nil))
        #expect(try await open.storage.allItems().map(\.name) == (goesOn ? ["item 2"] : []))
        #expect(ExaminedLog.all(for: direct).isEmpty)
    }

    @Test("what was merged with others' edits is news, and is not taken back")
    func merged() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let item = Fixtures.item(1, "one")
        _ = try await storage.commit(StorageChanges(items: [item]))
        _ = try await list.open("anna").commit(edit(item) { $0.name = "theirs" })
        // Nothing of theirs is known here when the next edit comes.
        let done = edit(item) { $0.doneAt = Fixtures.now }
        _ = try await storage.commit(done)
        let next = edit(done.items.upserts[0]) { $0.note = "mine" }
        let result = try await storage.commit(next)
        #expect(result.conflicts.isEmpty)
        let stored = try #require(try await storage.allItems().first)
        #expect([stored.name, stored.note] == ["theirs", "mine"])
        let fetched = try await storage.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.upserts == [stored])
    }

    @Test("others' changes are not lost if the question about a lost answer fails")
    func failedQuestion() async throws {
        let list = try OneList.inNewDatabase()
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let item = Fixtures.item(1, "one")
        _ = try await storage.commit(StorageChanges(items: [item]))
        try await commitInVain(
            StorageChanges(items: [Fixtures.item(2)]), storage, proxy, on: list)
        let theirs = edit(item) { $0.name = "theirs" }
        _ = try await list.open("anna").commit(theirs)
        try list.sql("ALTER ROUTINE sheaf.batch_number RENAME TO away")
        for _ in 0..<2 {
            await #expect(throws: StorageError.self) {
                try await retrying { try await storage.externalChanges { StorageChanges() } }
            }
        }
        try list.sql("ALTER ROUTINE sheaf.away RENAME TO batch_number")
        let fetched = try await retrying { try await storage.externalChanges { StorageChanges() } }
        #expect(fetched.changes.items.upserts.contains(theirs.items.upserts[0]))
        #expect(fetched.confirmed?.items.upserts.map(\.id) == [Fixtures.itemID(2)])
    }

    @Test("what never reached the server is committed by the next attempt")
    func lostQuestion() async throws {
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        proxy.cut()
        let changes = StorageChanges(items: [Fixtures.item(1)])
        await #expect(throws: StorageError.self) { try await storage.commit(changes) }
        proxy.restore()
        _ = try await commit(changes, storage)
        #expect(try await storage.itemCount() == 1)
    }

    @Test("what a process asked for that has ended is not done after it")
    func ended() async throws {
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        try list.server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: list.server)
        let list = try OneList(in: database)
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        let holder = try OpenTransaction(
            list, as: "owner", "BEGIN; SELECT FROM sheaf.lists WHERE id = LIST FOR UPDATE")
        // It gives up after some seconds, and is then made again.
        let commit = Task {
            while true {
                do {
                    return try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
                } catch let error as StorageError where error.reason.contains("locked") {}
            }
        }
        /// How many of the program's sessions wait for a lock.
        func waiting() throws -> String {
            try list.sql(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'
                  AND application_name = 'sheaf' AND wait_event_type = 'Lock'
                """)
        }
        while try waiting() == "0" { await Task.yield() }
        proxy.cut()
        await #expect(throws: StorageError.self) { try await commit.value }
        // Sooner than by the limit of waiting for locks, which no other work has.
        let end = ContinuousClock.now + .seconds(5)
        while try waiting() != "0", .now < end { await Task.yield() }
        #expect(try waiting() == "0")
        holder.end()
        #expect(try list.sql("SELECT last_number FROM sheaf.lists WHERE id = LIST") == "0")
    }

    @Test("an invitation that the server may have made is called that")
    func invitation() throws {
        let list = try OneList.inNewDatabase()
        let proxy = try Proxy(to: list.server.port)
        let sharing = try PostgresSharing(list.url("anna", port: proxy.port))
        let holder = try OpenTransaction(
            list, as: "owner", "BEGIN; SELECT FROM sheaf.lists WHERE id = LIST FOR UPDATE")
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(list.database)'"
            + " AND wait_event_type = 'Lock'"
        let invited = "SELECT count(*) FROM sheaf.members WHERE list_id = LIST AND role = 'ben'"
        // Not a task: the invitation keeps its thread until the connection is cut.
        Thread {
            while (try? list.sql(waiting)) == "0" {}
            proxy.loseAnswers()
            holder.end()
            while (try? list.sql(invited)) == "0" {}
            proxy.cut()
        }
        .start()
        let error = #expect(throws: StorageError.self) { try sharing.invite("ben", to: .write) }
        #expect(error?.isOutcomeUnknown == true)
        #expect(error?.advice?.hasPrefix("It may have been done") == true)
        #expect(try list.sql(invited) == "1")
    }
}

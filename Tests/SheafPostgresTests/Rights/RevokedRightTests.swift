import SheafList
import SheafTestSupport
import Testing

@testable import SheafPostgres

@Suite("A right that is taken")
struct RevokedRightTests {
    private let list: OneList

    init() throws {
        list = try OneList()
        try list.invite("ben", to: .write)
    }

    private let tag = Fixtures.tag(1, "tag")
    private var items: [Item] { (1...3).map { Fixtures.item($0, tags: [tag.id]) } }

    /// The list as ben knows it, before he loses his right.
    private func begin() async throws -> PostgresStorage {
        let storage = try list.open("ben")
        _ = try await list.open("anna").commit(StorageChanges(tags: [tag], items: items))
        _ = try await storage.externalChanges { StorageChanges() }
        return storage
    }

    private var known: StorageChanges {
        StorageChanges(tags: [tag], items: items)
    }

    @Test("is never taken for deletions")
    func nothingDeleted() async throws {
        let ben = try await begin()
        // Where deletions are found by comparing ids, too.
        try list.sql("UPDATE sheaf.lists SET forgotten = 1000000 WHERE id = LIST")
        _ = try list.sharing("anna").revoke("ben")
        let known = known
        func expectRefused(_ call: () async throws -> Void) async {
            let error = await #expect(throws: StorageError.self) { try await call() }
            #expect(error?.code == .denied)
            #expect(error?.reason.contains("no longer") == true)
        }
        await expectRefused { _ = try await ben.externalChanges { known } }
        await expectRefused { _ = try await ben.commit(StorageChanges()) }
        await expectRefused { _ = try await ben.loadTags() }
        await expectRefused { _ = try await ben.loadViews() }
        await expectRefused { _ = try await ben.allItems() }
        await expectRefused { _ = try await ben.itemCount() }
        await expectRefused { _ = try await ben.lastItemRank() }
        await expectRefused { _ = try await ben.loadItems(ids: [Fixtures.itemID(1)]) }
        let all = Fixtures.itemID(0)...Fixtures.itemID(9)
        await expectRefused { _ = try await ben.itemIDs(in: all, limit: 9) }
    }

    @Test(
        "does not count in a transaction that began before",
        arguments: [
            "SELECT sheaf.invite(LIST, 'carla', 'own')", "SELECT sheaf.revoke(LIST, 'anna')",
            """
            SELECT sheaf.commit(LIST, \(PostgresSharing.version), gen_random_uuid(), 1, 9999,
              '{"items": [\(itemJSON(9))]}', false)
            """,
        ])
    func olderSnapshot(_ call: String) async throws {
        try list.invite("ben", to: .own)
        let transaction = try OpenTransaction(
            list, as: "ben", "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM sheaf.about")
        _ = try list.sharing("anna").revoke("ben")
        try transaction.run("\(call); COMMIT")
        let members = try list.sql(
            "SELECT string_agg(role, ',' ORDER BY role) FROM sheaf.members WHERE list_id = LIST")
        #expect(members == "anna")
        #expect(try await list.open("anna").itemCount() == 0)
    }

    @Test("is not the last owner's, though he became one while it was taken")
    func lastOwner() async throws {
        let invitation = try OpenTransaction(
            list, as: "anna", "BEGIN; SELECT sheaf.invite(LIST, 'ben', 'own')")
        let list = list
        let leaving = Task.detached {
            try OpenTransaction(list, as: "ben", "BEGIN; SELECT sheaf.revoke(LIST, 'ben')")
        }
        func isWaiting(_ role: String) -> String {
            "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(role)'"
                + " AND wait_event_type = 'Lock' AND query LIKE '%revoke%\(list.id.uuidString)%'"
        }
        try await list.wait(until: isWaiting("ben"))
        try invitation.run("COMMIT")
        let left = try await leaving.value
        let anna = Task.detached {
            try list.refusal("SELECT sheaf.revoke(LIST, 'anna')", as: "anna")
        }
        try await list.wait(until: isWaiting("anna"))
        try left.run("COMMIT")
        #expect(try await anna.value?.contains("no owner") == true)
    }

    @Test("takes no commit, and what comes back with the right is all that was missed")
    func regained() async throws {
        let ben = try await begin()
        _ = try list.sharing("anna").revoke("ben")
        let mine = edit(items[0]) { $0.name = "mine" }
        await #expect(throws: StorageError.self) { try await ben.commit(mine) }
        await #expect(throws: StorageError.self) {
            try await ben.commit(StorageChanges(tags: [Fixtures.tag(2, "new")]))
        }
        await #expect(throws: StorageError.self) {
            try await ben.externalChanges { StorageChanges() }
        }
        var deletion = StorageChanges()
        deletion.items.delete([items[1].id])
        deletion.items[items[1].id]?.before = items[1]
        _ = try await list.open("anna").commit(deletion)
        try list.invite("ben", to: .write)
        await ben.recheckAccess()
        #expect(ben.readOnlyReason == nil)
        let fetched = try await ben.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.deletions == [items[1].id])
        let result = try await ben.commit(mine)
        #expect(result.conflicts.isEmpty)
        #expect(try await list.open("anna").allItems().map(\.name) == ["mine", "item 3"])
    }

    @Test("is seen to be back by a look at the list, where no notification comes")
    func regainedUntold() throws {
        let session = PostgresSession(try list.url("ben"), mode: .readWrite)
        defer { session.close() }
        _ = try session.externalChanges()
        #expect(!session.hasExternalChanges())
        _ = try list.sharing("anna").revoke("ben")
        #expect(throws: StorageError.self) { try session.externalChanges() }
        try list.invite("ben", to: .write)
        #expect(session.hasExternalChanges())
        _ = try session.externalChanges()
        #expect(!session.hasExternalChanges())
    }

    @Test("is answered in the same way as a list that was deleted")
    func deleted() async throws {
        let ben = try await begin()
        try list.sql("DELETE FROM sheaf.lists WHERE id = LIST")
        let error = await #expect(throws: StorageError.self) {
            try await ben.commit(StorageChanges(items: [Fixtures.item(4)]))
        }
        #expect(error?.code == .denied)
    }

    @Test("with a role that is dropped, and comes back with one of its name that is invited")
    func dropped() async throws {
        let role = try list.newRole()
        try list.invite(role, to: .write)
        let storage = try list.open(role)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        // Its connection stays open.
        try list.sql("DROP ROLE \(role)")
        let second = StorageChanges(items: [Fixtures.item(2)])
        let error = await #expect(throws: StorageError.self) { try await storage.commit(second) }
        #expect(error?.reason == "your role was dropped")
        _ = try list.newRole(role)
        try list.invite(role, to: .write)
        _ = try await storage.commit(second)
        #expect(try await storage.itemCount() == 2)
    }

    @Test("leaves a reader what there is to read, and says why nothing is written")
    func reader() async throws {
        let ben = try await begin()
        try list.invite("ben", to: .read)
        let error = await #expect(throws: StorageError.self) {
            try await ben.commit(StorageChanges(items: [Fixtures.item(4)]))
        }
        #expect(error?.code == .readOnly)
        #expect(
            ben.readOnlyReason == "You may only read this list. anna lets you write with: sheaf"
                + " share invite ben write")
        let again = await #expect(throws: StorageError.self) {
            try await ben.commit(StorageChanges(items: [Fixtures.item(4)]))
        }
        #expect(again?.reason == "you may only read this list")
        #expect(try await ben.allItems().count == 3)
        _ = try await list.open("anna").commit(StorageChanges(items: [Fixtures.item(5)]))
        #expect(try await ben.externalChanges { StorageChanges() }.changes.items.upserts.count == 1)
    }

    @Test("what a list has forgotten of deletions is found by comparing ids")
    func forgotten() async throws {
        let ben = try await begin()
        let anna = try list.open("anna")
        var deletion = StorageChanges()
        deletion.items.delete([items[0].id])
        deletion.items[items[0].id]?.before = items[0]
        _ = try await anna.commit(deletion)
        try list.sql(
            "UPDATE sheaf.tombstones SET at = now() - interval '91 days' WHERE list_id = LIST")
        deletion = StorageChanges()
        deletion.items.delete([items[1].id])
        deletion.items[items[1].id]?.before = items[1]
        _ = try await anna.commit(deletion)
        #expect(try list.sql("SELECT forgotten > 0 FROM sheaf.lists WHERE id = LIST") == "t")
        let known = known
        let fetched = try await ben.externalChanges { known }
        #expect(Set(fetched.changes.items.deletions) == [items[0].id, items[1].id])
        #expect(fetched.changes.tags.deletions.isEmpty)
        #expect(try await ben.externalChanges { known }.changes.isEmpty)
    }
}

/// An edit of `base` as a process makes it that knows `base`.
func edit(_ base: Item, _ change: (inout Item) -> Void) -> StorageChanges {
    var item = base
    change(&item)
    var changes = StorageChanges(items: [item])
    changes.items[base.id]?.before = base
    return changes
}

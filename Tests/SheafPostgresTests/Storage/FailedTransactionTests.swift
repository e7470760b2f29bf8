import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

/// A server function returns its row before its transaction is committed, which can still fail: the
/// queue of notifications is full, a lock takes too long, an administrator cancels it.
@Suite("Transactions that fail as they are committed")
struct FailedTransactionTests {
    private let list: OneList

    init() throws { list = try OneList.inNewDatabase() }

    private func fail(_ event: String, _ table: String, _ state: String) throws {
        try list.sql(
            """
            CREATE FUNCTION sheaf.fail() RETURNS trigger LANGUAGE plpgsql
              AS $$ BEGIN RAISE 'no room' USING ERRCODE = '\(state)'; END $$;
            CREATE CONSTRAINT TRIGGER fail AFTER \(event) ON sheaf.\(table)
              DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sheaf.fail();
            """)
    }

    @Test("an edit is not taken for saved", arguments: ["55P03", "57014", "54000", "23514"])
    func commit(_ state: String) async throws {
        let storage = try list.open("anna")
        try fail("INSERT", "commits", state)
        await #expect(throws: StorageError.self) {
            try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        }
        try list.sql("DROP TRIGGER fail ON sheaf.commits")
        #expect(try await storage.itemCount() == 0)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try await storage.itemCount() == 1)
    }

    @Test("a right is neither taken for given nor for revoked")
    func rights() throws {
        try list.invite("ben", to: .write)
        try fail("INSERT OR UPDATE OR DELETE", "members", "55P03")
        #expect(throws: StorageError.self) { try list.invite("carla", to: .read) }
        #expect(throws: StorageError.self) { try list.sharing("anna").revoke("ben") }
        let members = try list.sql("SELECT string_agg(role, ',' ORDER BY role) FROM sheaf.members")
        #expect(members == "anna,ben")
    }
}

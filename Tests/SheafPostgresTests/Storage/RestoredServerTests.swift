import Foundation
import SheafList
import SheafPostgres
import SheafStorage
import SheafTestSupport
import Testing

@Suite("A server that was set back to an earlier state")
struct RestoredServerTests {
    private let list: OneList

    init() throws { list = try OneList() }

    /// Takes the list back to a commit, as a backup does.
    private func setBack(to number: Int) throws {
        for table in ["tags", "views", "items", "tombstones"] {
            try list.sql(
                "DELETE FROM sheaf.\(table) WHERE list_id = LIST AND commit_number > \(number)")
        }
        try list.sql("DELETE FROM sheaf.commits WHERE list_id = LIST AND number > \(number)")
        try list.sql("DELETE FROM sheaf.batches WHERE list_id = LIST AND number > \(number)")
        try list.sql("UPDATE sheaf.lists SET last_number = \(number) WHERE id = LIST")
    }

    @Test("a database is told from a copy of it, whether or not the role may ask for the cluster")
    func copied() async throws {
        func newDatabase(_ rest: String = "") throws -> String {
            let name = "db_\(UUID().uuidString.prefix(8).lowercased())"
            try list.server.sql("CREATE DATABASE \(name) \(rest)")
            return name
        }
        let database = try newDatabase()
        try SharedLists.setUp(database, on: list.server)
        let one = try OneList(in: database)
        let copy = try newDatabase("TEMPLATE \(database)")
        func identity(in database: String) throws -> ServerList.Identity? {
            let url = list.server.url("anna", list: one.id.uuidString, in: database)
            let location = try PostgresLocation(url, environment: [:])
            _ = try location.openStorage(.readOnly, timeout: .seconds(5))
            return location.server?.identity
        }
        let first = try #require(try identity(in: database))
        #expect(first.id == one.id)
        #expect(try identity(in: database) == first)
        #expect(try #require(try identity(in: copy)).database != first.database)
        for name in [database, copy] {
            try list.server.sql(
                "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC", in: name)
        }
        let unasked = try #require(try identity(in: database))
        #expect(try #require(try identity(in: copy)).database != unasked.database)
    }

    @Test("what it lacks is sent again, or gone from the screen, which says so")
    func restored() async throws {
        let other = try list.open("anna")
        let items = (1...4).map { Fixtures.item($0) }
        for item in items[..<3] { _ = try await other.commit(StorageChanges(items: [item])) }
        let proxy = try Proxy(to: list.server.port)
        let storage = try list.open("anna", port: proxy.port)
        #expect(try await storage.allItems().count == 3)
        _ = try await other.commit(StorageChanges(items: [items[3]]))
        _ = try await storage.externalChanges { StorageChanges() }
        await other.close()
        try setBack(to: 2)
        proxy.cut()
        proxy.restore()
        #expect(await storage.consumeNotice() == nil)
        let known = StorageChanges(items: items)
        var fetched: FetchedChanges<StorageChanges>?
        let end = ContinuousClock.now + .seconds(30)
        while fetched == nil, ContinuousClock.now < end {
            do {
                fetched = try await storage.externalChanges { known }
            } catch let error as StorageError where error.code == .busy {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(fetched?.changes.items.deletions == [items[2].id])
        #expect(try await storage.allItems().map(\.id) == [items[0].id, items[1].id, items[3].id])
        #expect(await storage.consumeNotice()?.contains("earlier state") == true)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(5)]))
        let again = try await storage.externalChanges { known }
        #expect(again.changes.items.deletions.isEmpty)
        #expect(await storage.consumeNotice() == nil)
    }
}

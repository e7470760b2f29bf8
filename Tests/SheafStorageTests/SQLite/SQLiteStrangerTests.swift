import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

/// Rows that other programs wrote.
@Suite("SQLite rows of strangers")
struct SQLiteStrangerTests: SQLiteSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "a row that cannot be read is named",
        arguments: [
            (
                "UPDATE items SET id = 'A0000000-0000-4000-8000-000000000002' WHERE id LIKE '%2'",
                "row 2 of items"
            ),
            ("UPDATE items SET id = 'x' || char(27) WHERE id LIKE '%2'", "id \"x\\u001b\""),
            ("UPDATE items SET rank = '' WHERE id LIKE '%2'", "invalid rank"),
            ("UPDATE items SET rank = 'ä' WHERE id LIKE '%2'", "row 2 of items"),
        ])
    func unreadableItem(_ sql: String, _ words: String) async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        try shell(sql)
        let error = await storageError { try await storage.allItems() }
        #expect(error?.code == .corrupt)
        #expect(error?.reason.contains(words) == true, "\(error as Any)")
        // A list that cannot be read whole is not written to.
        let bytes = try folder.bytes(of: "list.sqlite")
        #expect(
            await storageError {
                try await storage.commit(StorageChanges(items: [Fixtures.item(7)]))
            }?.code == .corrupt)
        #expect(try folder.bytes(of: "list.sqlite") == bytes)
    }

    @Test("a tag that cannot be read is named", arguments: ["id = 'nonsense'", "rank = '-'"])
    func unreadableTag(_ assignment: String) async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(tags: [Fixtures.tag(1, "one")]))
        try shell("UPDATE tags SET \(assignment)")
        let error = await storageError { try await storage.loadTags() }
        #expect(error?.code == .corrupt)
        #expect(error?.reason.contains("row 1 of tags") == true)
    }

    @Test("odd values that say enough are read")
    func oddValues() async throws {
        let storage = try open()
        let tag = Fixtures.tag(1, "one")
        _ = try await storage.commit(
            StorageChanges(tags: [tag], items: [Fixtures.item(1, tags: [tag.id])]))
        try shell("ALTER TABLE items ADD COLUMN mood TEXT DEFAULT 'fine'")
        try shell("UPDATE tags SET color = 'ultraviolet'")
        try shell("UPDATE items SET extras = 'not json', name = CAST(x'61FF62' AS TEXT)")
        try shell(
            "INSERT INTO item_tags SELECT id, 'b0000000-0000-4000-8000-00000000dead' FROM items")
        try shell("INSERT INTO item_tags SELECT id, 'no uuid' FROM items")
        var expected = Fixtures.item(1, "a\u{FFFD}b", tags: [tag.id])
        expected.extras = [.init(key: "extras", value: "not json")]
        #expect(try await storage.allItems() == [expected])
        #expect(try await storage.loadTags().map(\.color) == [.white])
        // An edit keeps unknown columns.
        var changes = StorageChanges()
        let base = expected
        expected.name = "edited"
        changes.items.replace(base, with: expected)
        _ = try await storage.commit(changes)
        #expect(try await storage.allItems() == [expected])
        #expect(try shell("SELECT mood FROM items") == "fine")
    }

    @Test("a search takes odd values as reading does")
    func searchesOddValues() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(4)))
        try shell("UPDATE items SET name = CAST(x'FF4D494C4B' AS TEXT) WHERE id LIKE '%1'")
        try shell("UPDATE items SET note = CAST(x'C3A94D696C6BFF' AS TEXT) WHERE id LIKE '%2'")
        try shell(
            "INSERT INTO item_tags SELECT id, 'b0000000-0000-4000-8000-00000000dead' FROM items")
        // Not found, and so not judged.
        try shell("UPDATE items SET rank = 'ä' WHERE id LIKE '%4'")
        for (query, expected) in [("milk", [1, 2]), ("emilk\u{FFFD}", [2]), ("\u{FFFD}MILK", [1])] {
            let search = try ItemSearch(
                Query(query), tags: [], now: Fixtures.now, calendar: .utc)
            for parts in [ItemParts.all, .allButTags] {
                let found = try await storage.findItems(search, parts, after: nil, limit: 9)
                #expect(found.items.map(\.id) == expected.map(Fixtures.itemID), "\(query)")
                #expect(found.items.allSatisfy { $0.tags.isEmpty })
                #expect(found.end == nil)
            }
        }
        let untagged = try ItemSearch(
            Query("is:untagged is:noted"), tags: [], now: Fixtures.now,
            calendar: .utc)
        let found = try await storage.findItems(untagged, .all, after: nil, limit: 9)
        #expect(found.items.map(\.id) == [Fixtures.itemID(2)])
        let error = await storageError {
            try await storage.findItems(.everything, .allButTags, after: nil, limit: 9)
        }
        #expect(error?.code == .corrupt)
    }
}

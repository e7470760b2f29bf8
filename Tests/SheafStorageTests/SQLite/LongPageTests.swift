import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Long pages, whose tags are read for all items at once.
@Suite struct LongPageTests: SQLiteSuite {
    let folder: TemporaryFolder
    private let tags = Fixtures.tags(["+Garden", "@phone", "book"])

    init() throws { folder = try TemporaryFolder() }

    private var items: [Item] {
        var items = Fixtures.items(4_100)
        for index in items.indices where index % 3 > 0 {
            items[index].tags = Set(tags.prefix(index % 3).map(\.id))
        }
        return items
    }

    private func all(_ storage: SQLiteStorage, by limit: Int) async throws -> [Item] {
        var all: [Item] = []
        while true {
            let page = try await storage.loadItems(after: all.last?.position, limit: limit)
            guard !page.isEmpty else { return all }
            all += page
        }
    }

    @Test(
        "a long page has the items and tags of short ones, whatever the numbers of the rows",
        arguments: [
            "SELECT 1", "UPDATE items SET rowid = -rowid",
            "UPDATE items SET rowid = 9000000000000000000 WHERE rowid = 7",
            "DELETE FROM items WHERE rowid % 10 > 0", "DELETE FROM tags WHERE name = 'book'",
            "DELETE FROM items", "DELETE FROM item_tags",
            "INSERT INTO item_tags SELECT '00', id FROM tags",
        ])
    func numbers(sql: String) async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(tags: tags, items: items))
        try shell(sql)
        #expect(try await all(storage, by: 4_000) == all(storage, by: 1_000))
    }

    @Test("a page has the tags that another process or this one committed after the last page")
    func commits() async throws {
        let (mine, theirs) = (try open(), try open())
        _ = try await mine.commit(StorageChanges(tags: tags, items: items))
        for storage in [theirs, mine] {
            let first = try await mine.loadItems(after: nil, limit: 4_000)
            var last = try #require(items.max { $0.position < $1.position })
            last.tags = storage === mine ? [tags[2].id] : [tags[0].id]
            last.name = storage === mine ? "mine" : "theirs"
            _ = try await storage.commit(StorageChanges(items: [last]))
            let rest = try await mine.loadItems(after: first.last?.position, limit: 4_000)
            #expect(rest.last?.name == last.name)
            #expect(rest.last == (try await mine.loadItems(ids: [last.id]).first))
        }
    }
}

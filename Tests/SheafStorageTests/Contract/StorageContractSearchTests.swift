import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

/// The promises of every storage about searches: the results of asking each item.
@Suite("Storage contract: searches", .timeLimit(.minutes(1)))
struct StorageContractSearchTests {
    private static let queries = [
        "", "milk", "MILK -oat", "'Milk", "görlitz", "gorlitz", "^oat", "9$", "\"k 1\"", "+two",
        "#one",
        "one", "-two", "NOT is:untagged", "is:untagged", "is:noted OR is:done", "created:today",
        "is:untagged OR #one", "three OR -is:untagged",
        "-is:open",
        "changed:<2023", "done:2023-11", "(+one OR three) milk", "secret", "o\u{301}",
    ]
    private let folder: TemporaryFolder
    private let tags = [Fixtures.tag(1, "one"), Fixtures.tag(2, "+two"), Fixtures.tag(3, "three")]

    init() throws {
        folder = try TemporaryFolder()
    }

    private var items: [Item] {
        let names = ["milk", "Milk", "oat milk", "Görlitz", "日本語", "", "a\u{0}b"]
        return (0..<200).map { number in
            var item = Fixtures.item(number, "\(names[number % names.count]) \(number)")
            item.tags = Set(tags.indices.filter { number >> $0 & 3 == 3 }.map { tags[$0].id })
            if number % 5 == 0 { item.note = "a Secret" }
            if number % 3 == 0 { item.doneAt = Fixtures.now }
            return item
        }
    }

    private func search(_ query: String, _ tags: [Tag]) throws -> ItemSearch {
        try ItemSearch(
            Query(query), tags: tags, now: Fixtures.now, calendar: .utc)
    }

    /// Holds every search against asking all items one by one.
    private func expectSearches(_ storage: any ListStorage) async throws {
        var all: [Item] = []
        try await storage.readPages { page in
            all += page
            return true
        }
        let tags = try await storage.loadTags()
        for query in Self.queries {
            let search = try search(query, tags)
            let expected = all.filter { search.finds($0) }
            for (parts, size) in [(ItemParts.all, 1_000), (.all, 7), (.allButTags, 64)] {
                var found: [Item] = []
                try await storage.readItems(search, parts, of: size) { items in
                    #expect(items.count <= size)
                    found += items
                    return true
                }
                if parts == .all {
                    #expect(found == expected, "\(query), \(size)")
                } else {
                    #expect(found.map(\.name) == expected.map(\.name), "\(query)")
                }
            }
        }
    }

    @Test("a search finds what asking every item finds", arguments: StorageBackend.all)
    func finds(_ backend: StorageBackend) async throws {
        let storage = try backend.open(folder.file(backend.fileName))
        _ = try await storage.commit(StorageChanges(tags: tags, items: items))
        try await expectSearches(storage)
        await storage.close()
    }

    @Test("and so after commits of its own", arguments: StorageBackend.all)
    func ownCommits(_ backend: StorageBackend) async throws {
        let storage = try backend.open(folder.file(backend.fileName))
        let items = items
        _ = try await storage.commit(StorageChanges(tags: tags, items: items))
        let search = try search("+two", tags)
        _ = try await storage.findItems(search, .all, after: nil, limit: 10)
        var changes = StorageChanges()
        for old in items.prefix(20) {
            var item = old
            item.tags.formSymmetricDifference([tags[1].id])
            changes.items.replace(old, with: item)
        }
        _ = try await storage.commit(changes)
        try await expectSearches(storage)
        await storage.close()
    }

    @Test("and after those of another process", arguments: StorageBackend.all(with: .file))
    func commitsOfOthers(_ backend: StorageBackend) async throws {
        let storage = try backend.open(folder.file(backend.fileName))
        let items = items
        _ = try await storage.commit(StorageChanges(tags: tags, items: items))
        let search = try search("+two", tags)
        _ = try await storage.findItems(search, .all, after: nil, limit: 10)
        let other = try backend.open(folder.file(backend.fileName))
        var changes = StorageChanges()
        for old in items.prefix(20) {
            var item = old
            item.tags.formSymmetricDifference([tags[1].id])
            changes.items.replace(old, with: item)
        }
        _ = try await other.commit(changes)
        await other.close()
        let found = try await storage.findItems(search, .all, after: nil, limit: 1_000).items
        #expect(found.filter { !$0.tags.contains(tags[1].id) }.isEmpty)
        try await expectSearches(storage)
        await storage.close()
    }

    @Test("more tags than bits are searched all the same", arguments: StorageBackend.all)
    func manyTags(_ backend: StorageBackend) async throws {
        let storage = try backend.open(folder.file(backend.fileName))
        let many = (0..<70).map { Fixtures.tag($0, "tag \($0)") }
        let items = (0..<80).map { Fixtures.item($0, tags: $0 < 70 ? [many[$0].id] : []) }
        _ = try await storage.commit(StorageChanges(tags: many, items: items))
        for (query, count) in [("is:untagged", 10), ("tag", 70), ("\"tag 6\"", 11)] {
            let found = try await storage.findItems(
                try search(query, many), .all, after: nil, limit: 1_000)
            #expect(found.items.count == count, "\(query)")
        }
        await storage.close()
    }
}

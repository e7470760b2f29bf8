import Foundation
import SheafList
import SheafPostgres
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

@Suite("Ranks that are too long for the server's tables")
struct LongRankTests {
    private func items(_ count: Int) throws -> [Item] {
        let prefix = "a0" + String(repeating: "0", count: 2_100)
        return try (1...count).map { number in
            var item = Fixtures.item(number)
            item.rank = try #require(Rank(text: "\(prefix)\(number)1"))
            return item
        }
    }

    @Test("are replaced in a commit, where the items stand")
    func commit() async throws {
        let storage = try OneList().open("anna")
        var ends = [Fixtures.item(11), Fixtures.item(12)]
        ends[0].rank = try #require(Rank(text: "a0"))
        ends[1].rank = try #require(Rank(text: "a1"))
        _ = try await storage.commit(StorageChanges(items: ends))
        let result = try await storage.commit(StorageChanges(items: items(5)))
        #expect(result.refused.isEmpty)
        #expect(result.stored?.items.count == 5)
        let stored = try await storage.loadItems(after: nil, limit: 100)
        #expect(stored.map(\.id) == [11, 1, 2, 3, 4, 5, 12].map { Fixtures.item($0).id })
        #expect(stored.allSatisfy { !$0.rank.isTooLong })
    }

    @Test("of a list in a file are counted anew by a copy")
    func copy() async throws {
        let source = MemoryStorage()
        var last = Fixtures.item(12)
        last.rank = try #require(Rank(text: "a1"))
        _ = try await source.commit(StorageChanges(items: items(5) + [last]))
        let storage = try OneList().open("anna")
        let copy = ListCopy(from: source, to: storage, commitSize: 2, pageSize: 2)
        #expect(try await copy.run().items == 6)
        #expect(
            try await storage.loadItems(after: nil, limit: 100).map(\.id)
                == source.loadItems(after: nil, limit: 100).map(\.id))
        #expect(try await copy.run().wasComplete)
    }
}

import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

@Suite("Demo data")
struct DemoDataTests {
    private func items(_ data: DemoData) -> [Item] { data.flatMap(\.items.upserts) }

    @Test(
        "there are as many items as asked for, in chunks, in order, each with its own id",
        arguments: [0, 1, 12, 10_000, 25_001])
    func count(_ count: Int) {
        let data = DemoData(count: count, now: Fixtures.now)
        #expect(data.allSatisfy { $0.items.upserts.count <= DemoData.chunkSize })
        let items = items(data)
        #expect(items.count == count)
        #expect(Set(items.map(\.id)).count == count)
        #expect(zip(items, items.dropFirst()).allSatisfy { $0.rank < $1.rank })
    }

    @Test("the seed decides the data")
    func seeded() {
        #expect(
            items(DemoData(count: 300, now: Fixtures.now))
                == items(DemoData(count: 300, now: Fixtures.now)))
        let other = DemoData(count: 300, now: Fixtures.now, seed: 2)
        #expect(
            items(other).map(\.name) != items(DemoData(count: 300, now: Fixtures.now)).map(\.name))
    }

    @Test("the items vary as a real list does")
    func variety() throws {
        let data = DemoData(count: 5_000, now: Fixtures.now)
        let tags = try #require(data.first { _ in true }).tags.upserts
        let items = items(data)
        #expect(tags.count == 12)
        #expect(Set(tags.map(\.foldedName)).count == 12)
        #expect(Set(items.map(\.name)).count > 3_000)
        #expect((1_000...2_000).contains(items.count(where: \.isDone)))
        #expect((500...1_500).contains(items.count { !$0.note.isEmpty }))
        #expect((200...800).contains(items.count { $0.tags.isEmpty }))
        #expect(tags.allSatisfy { tag in items.contains { $0.tags.contains(tag.id) } })
        #expect(items.contains { !$0.name.allSatisfy(\.isASCII) })
        #expect(
            items.allSatisfy {
                !$0.name.isEmpty && !$0.name.contains("\n") && $0.createdAt <= $0.updatedAt
            })
        #expect(
            items.allSatisfy {
                $0.updatedAt <= Fixtures.now && ($0.doneAt ?? Fixtures.now) <= Fixtures.now
            })
        #expect(
            items.contains {
                $0.createdAt.milliseconds < Fixtures.now.milliseconds - 100 * 86_400_000
            })
    }

    @Test("it follows what a store has, and uses its tags")
    func existing() async throws {
        let folder = try TemporaryFolder()
        let storage = try StoreURL(.sqlite, path: folder.file("x.sqlite")).location.openStorage(
            .readWriteCreate)
        _ = try await storage.commit(
            StorageChanges(tags: [Fixtures.tag(1, "BOOK")], items: [Fixtures.item(1)]))
        let data = DemoData(
            count: 100, now: Fixtures.now, tags: try await storage.loadTags(),
            lastRank: try await storage.lastItemRank())
        for changes in data {
            #expect(try await storage.commit(changes).refused.isEmpty)
        }
        let items = try await storage.allItems()
        #expect(items.first == Fixtures.item(1))
        #expect(items.count == 101)
        #expect(try await storage.loadTags().count == 12)
        #expect(items.contains { $0.tags.contains(Fixtures.tagID(1)) })
    }
}

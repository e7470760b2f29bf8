import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

/// The promises of every storage to concurrent users, and after many commits.
@Suite("Storage contract: concurrency", .timeLimit(.minutes(1)))
struct StorageContractConcurrencyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ backend: StorageBackend) throws -> any ListStorage {
        try backend.open(folder.file(backend.fileName))
    }

    @Test("a commit goes on when its task is cancelled", arguments: StorageBackend.all)
    func cancelledCommit(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await storage.commit(StorageChanges(items: Fixtures.items(50)))
        }
        _ = try await task.value
        #expect(try await storage.allItems() == Fixtures.items(50))
    }

    @Test("commits go between two pages", arguments: StorageBackend.all)
    func commitBetweenPages(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(10)))
        let first = try await storage.loadItems(after: nil, limit: 4)
        _ = try await storage.commit(
            StorageChanges(
                items: [Fixtures.item(11)], deletingItems: [Fixtures.itemID(4), Fixtures.itemID(6)])
        )
        let rest = try await storage.loadItems(
            after: first.last?.position, limit: 100)
        #expect((first + rest).map(\.id) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map(Fixtures.itemID))
    }

    @Test(
        "the next of an item that repeats is one, and stays as it is stored",
        arguments: StorageBackend.all)
    func next(_ backend: StorageBackend) async throws {
        var item = Fixtures.item(1)
        item.repeat = Repeat("1w")
        let next = try #require(
            item.next(today: .first, now: Fixtures.now, rank: Fixtures.rank(2)))
        var edited = next
        edited.name = "edited"
        edited.updatedAt = Fixtures.now.next
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(items: [item, edited]))
        // One process has not read it yet, and no other has committed.
        let result = try await storage.commit(StorageChanges(items: [item, next]))
        #expect(result.conflicts.isEmpty)
        #expect(result.stored?.items.upserts == [edited])
        #expect(try await storage.allItems() == [item, edited])
        var changes = StorageChanges()
        changes.items.delete(edited)
        _ = try await storage.commit(changes)
        _ = try await storage.commit(StorageChanges(items: [next]))
        #expect(try await storage.allItems() == [item, next])
    }

    @Test("two connections see each other's commits", arguments: StorageBackend.all(with: .file))
    func twoConnections(_ backend: StorageBackend) async throws {
        let one = try open(backend)
        let two = try open(backend)
        let tag = Fixtures.tag(1, "tag")
        _ = try await one.commit(StorageChanges(tags: [tag], items: [Fixtures.item(1)]))
        #expect(try await two.allItems() == [Fixtures.item(1)])
        _ = try await two.commit(StorageChanges(items: [Fixtures.item(2, tags: [tag.id])]))
        #expect(try await one.allItems() == [Fixtures.item(1), Fixtures.item(2, tags: [tag.id])])
        _ = try await two.commit(StorageChanges(deletingTags: [tag.id]))
        #expect(try await one.allItems() == [Fixtures.item(1), Fixtures.item(2)])
    }

    @Test("concurrent commits all arrive", arguments: StorageBackend.all)
    func concurrentCommits(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    _ = try await storage.commit(StorageChanges(items: [Fixtures.item(number)]))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await storage.allItems() == Fixtures.items(20))
    }

    @Test("a closed storage says so", arguments: StorageBackend.all)
    func closed(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        await storage.close()
        await storage.close()
        #expect(await storageError { try await storage.loadTags() }?.code == .cannotOpen)
        #expect(
            await storageError { try await storage.commit(StorageChanges()) }?.code == .cannotOpen)
    }

    @Test("random commits leave what a dictionary would hold", arguments: StorageBackend.all)
    func randomCommits(_ backend: StorageBackend) async throws {
        var generator = SplitMix64(seed: 42)
        var items: [Item.ID: Item] = [:]
        var tags: [Tag.ID: Tag] = [:]
        var views: [SavedView.ID: SavedView] = [:]
        var storage = try open(backend)
        for round in 0..<60 {
            var changes = StorageChanges()
            for number in 0..<6 where Bool.random(using: &generator) {
                let tag = Fixtures.tag(
                    number, "tag \(number)",
                    color: TagColor.allCases.randomElement(using: &generator)!)
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    changes.tags.delete([tag.id])
                } else {
                    changes.tags.upsert(tag)
                }
            }
            for number in 0..<30 where Int.random(in: 0..<4, using: &generator) == 0 {
                var item = Fixtures.item(
                    number, "round \(round)",
                    rank: Fixtures.rank(.random(in: 0..<50, using: &generator)))
                item.tags = Set(
                    (0..<6).filter { _ in Bool.random(using: &generator) }.map(Fixtures.tagID))
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    changes.items.delete([item.id])
                } else {
                    changes.items.upsert(item)
                }
            }
            for number in 0..<6 where Bool.random(using: &generator) {
                let view = Fixtures.view(
                    number, "view \(number) of round \(round)",
                    choice: .tag(Fixtures.tagID(.random(in: 0..<6, using: &generator))))
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    changes.views.delete([view.id])
                } else {
                    changes.views.upsert(view)
                }
            }
            for id in changes.views.ids { changes.views[id]?.before = views[id] }
            for id in changes.items.ids { changes.items[id]?.before = items[id] }
            for id in changes.tags.ids { changes.tags[id]?.before = tags[id] }
            #expect(try await storage.commit(changes).refused.isEmpty)
            for tag in changes.tags.upserts { tags[tag.id] = tag }
            // A tag that is deleted by the same commit is there while its items are written.
            for item in changes.items.upserts { items[item.id] = item }
            for view in changes.views.upserts { views[view.id] = view }
            for id in changes.views.deletions { views[id] = nil }
            for id in changes.items.deletions { items[id] = nil }
            for id in changes.tags.deletions { tags[id] = nil }
            for id in items.keys { items[id]?.tags.formIntersection(tags.keys) }
            views = views.mapValues { $0.withoutTag { tags[$0] == nil } }
            if round % 10 == 9, backend.has(.durability) {
                await storage.close()
                storage = try open(backend)
            }
            #expect(try await storage.loadTags() == tags.values.sorted { $0.rank < $1.rank })
            #expect(try await storage.loadViews() == views.values.sorted { $0.rank < $1.rank })
            let expected = items.values.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
            #expect(try await storage.allItems(pageSize: 7) == expected)
        }
    }
}

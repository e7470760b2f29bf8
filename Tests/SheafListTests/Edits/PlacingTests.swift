import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

/// The order of placed items, and the rows that are written.
@Suite("Placing items")
struct PlacingTests {
    private func order(_ storage: FakeStorage) async -> [Item.ID] {
        await storage.loadItems(after: nil, limit: .max).map(\.id)
    }

    @Test("random moves leave the order that a plain list would have, and write what moved")
    func model() async throws {
        var generator = SystemRandomNumberGenerator()
        let storage = FakeStorage(items: Fixtures.items((1...12).map(String.init)))
        var model = await order(storage)
        for _ in 0..<400 {
            let items = await storage.loadItems(after: nil, limit: .max)
            let target = try #require(items.randomElement(using: &generator))
            let count = Int.random(in: 1...4, using: &generator)
            let moved = items.shuffled(using: &generator).prefix(count).filter {
                $0.id != target.id
            }
            let side = Bool.random(using: &generator) ? Side.before : .after
            let changes = try await storage.changes(placing: moved, side, target)
            #expect(Set(changes.ids).isSubset(of: moved.map(\.id)))
            var batch = StorageChanges()
            batch.items = changes
            _ = try await storage.commit(batch)

            let ids = moved.map(\.id)
            model.removeAll(where: ids.contains)
            let place = try #require(model.firstIndex(of: target.id))
            model.insert(contentsOf: ids, at: side == .before ? place : place + 1)
            #expect(await order(storage) == model)
        }
    }

    @Test("among equal ranks those below give way", arguments: [Side.before, .after])
    func equalRanks(_ side: Side) async throws {
        for target in 1...6 {
            var items = Fixtures.items((1...7).map(String.init))
            for index in 1..<5 { items[index].rank = items[1].rank }
            let storage = FakeStorage(items: items)
            let moved = [items[6], items[3]].filter { $0.id != items[target - 1].id }
            var batch = StorageChanges()
            batch.items = try await storage.changes(placing: moved, side, items[target - 1])
            _ = try await storage.commit(batch)
            var model = items.map(\.id)
            model.removeAll { id in moved.contains { $0.id == id } }
            let place = try #require(model.firstIndex(of: items[target - 1].id))
            model.insert(contentsOf: moved.map(\.id), at: side == .before ? place : place + 1)
            #expect(await order(storage) == model, "\(side) \(target)")
        }
    }

    @Test("what stands there already is not written")
    func nothing() async throws {
        let items = Fixtures.items(["a", "b", "c"])
        let storage = FakeStorage(items: items)
        let places: [(moved: [Item], side: Side, target: Item)] = [
            ([items[0]], .before, items[1]), ([items[1], items[2]], .after, items[0]),
            ([], .after, items[1]), ([items[2]], .after, items[1]),
        ]
        for (moved, side, target) in places {
            #expect(try await storage.changes(placing: moved, side, target).isEmpty)
        }
    }

    @Test("many items at one place get short ranks")
    func shortRanks() async throws {
        let items = Fixtures.items((1...2_000).map(String.init))
        let storage = FakeStorage(items: items)
        let changes = try await storage.changes(placing: Array(items[2...]), .before, items[1])
        #expect(changes.count == 1_998)
        #expect(changes.upserts.allSatisfy { $0.rank.text.utf8.count < 12 })
    }

    @Test("at one place, again and again, ranks stay short")
    func onePlace() async throws {
        let items = Fixtures.items((1...40).map(String.init))
        let storage = FakeStorage(items: items)
        var model = items.map(\.id)
        for _ in 0..<1_000 {
            let last = try #require(await storage.loadItems(after: nil, limit: .max).last)
            var batch = StorageChanges()
            batch.items = try await storage.changes(placing: [last], .after, items[0])
            _ = try await storage.commit(batch)
            model.insert(model.removeLast(), at: 1)
        }
        #expect(await order(storage) == model)
        #expect(await storage.loadItems(after: nil, limit: .max).allSatisfy { !$0.rank.isTooLong })
    }
}

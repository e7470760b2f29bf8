import SheafList
import Swidux

/// Items that go to one side of another: which ranks that takes.
struct ItemMove: Sendable {
    enum Side: String, Sendable {
        case before, after
    }

    /// What moves, in the order in which it will stand. An item cannot move beside itself: the
    /// target stays.
    let items: [Item]
    private let target: Item
    private let side: Side

    init(_ items: [Item], _ side: Side, _ target: Item) {
        self.items = items.filter { $0.id != target.id }
        self.side = side
        self.target = target
    }

    /// The items with their new ranks, and those that make room for them; none if they stand there
    /// already.
    ///
    /// - Throws: `StorageError`.
    func changes(in storage: any ListStorage) async throws -> EntityChanges<Item> {
        var changes = EntityChanges<Item>()
        guard !items.isEmpty, try await !isDone(in: storage) else { return changes }
        let above = side == .after ? target : try await itemAbove(in: storage)
        let room = try await storage.room(for: items.map(\.id), below: above)
        for (old, rank) in zip(items, room.ranks) {
            var item = old
            item.rank = rank
            changes.replace(old, with: item)
        }
        changes.add(room.changes)
        return changes
    }

    /// Whether the items stand where they are to go, in their order.
    private func isDone(in storage: any ListStorage) async throws -> Bool {
        let cursor = target.position
        let neighbours =
            side == .after
            ? try await storage.loadItems(after: cursor, limit: items.count)
            : try await storage.loadItems(before: cursor, limit: items.count)
        return neighbours.map(\.id) == items.map(\.id)
    }

    /// The nearest item before the target that stays where it is.
    private func itemAbove(in storage: any ListStorage) async throws -> Item? {
        let moving = Set(items.map(\.id))
        var cursor = target.position
        while true {
            let page = try await storage.loadItems(before: cursor, limit: items.count + 1)
            guard let first = page.first else { return nil }
            if let item = page.last(where: { !moving.contains($0.id) }) { return item }
            cursor = first.position
        }
    }
}

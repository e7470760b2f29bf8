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

    /// The items with their new ranks; none if they stand there already. Where the neighbours'
    /// ranks are equal, as two processes can make them, those below give way and are among the
    /// changes.
    ///
    /// - Throws: `StorageError`.
    func changes(in storage: any ListStorage) async throws -> EntityChanges<Item> {
        var changes = EntityChanges<Item>()
        guard !items.isEmpty, try await !isDone(in: storage) else { return changes }
        let lower = side == .after ? target.position : try await positionAbove(in: storage)
        let below = try await itemsBelow(lower?.rank, in: storage)
        let room = ItemPosition.room(
            for: items.map(\.id), below: lower, above: below.map(\.position))
        for (old, position) in zip(items + below, room) {
            var item = old
            item.rank = position.rank
            changes.replace(old, with: item)
        }
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

    /// The position of the nearest item before the target that stays where it is.
    private func positionAbove(in storage: any ListStorage) async throws -> ItemPosition? {
        let moving = Set(items.map(\.id))
        var cursor = target.position
        while true {
            let page = try await storage.loadItems(before: cursor, limit: items.count + 1)
            guard let first = page.first else { return nil }
            if let item = page.last(where: { !moving.contains($0.id) }) { return item.position }
            cursor = first.position
        }
    }

    /// Those that stay, from the new place on: all whose rank is `lower`, and one more.
    private func itemsBelow(_ lower: Rank?, in storage: any ListStorage) async throws -> [Item] {
        let moving = Set(items.map(\.id))
        var below = side == .before ? [target] : []
        var cursor = target.position
        while below.last.map({ $0.rank == lower }) ?? true {
            let page = try await storage.loadItems(after: cursor, limit: items.count + 1)
            guard let last = page.last else { return below }
            below += page.filter { !moving.contains($0.id) }
            cursor = last.position
        }
        return below
    }
}

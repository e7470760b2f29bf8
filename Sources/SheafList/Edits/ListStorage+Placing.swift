import FoundationEssentials
import Swidux

extension ListStorage {
    /// Returns the changes that place `items`, in their order, on a side of `target`. Empty if they
    /// are there already. Reads only the items around `target`.
    ///
    /// - Parameter target: an item that is not among `items`; `nil` for the beginning.
    /// - Throws: `StorageError`.
    package func changes(
        placing items: [Item], _ side: Side, _ target: Item?
    ) async throws -> EntityChanges<Item> {
        var changes = EntityChanges<Item>()
        let ids = items.map(\.id)
        let found = try await positions(of: ids, around: target) {
            $0.positions(placing: ids, side, target?.id)
        }
        if let found { changes.replace(items + found.around, at: found.positions) }
        return changes
    }

    /// Returns the ranks that place items directly below `upper`, in the order of `ids`, and the
    /// changes of the items that make room for them: ``Position/room(for:below:above:)``.
    ///
    /// - Parameter upper: the item above, which is not among `ids`; nil for the beginning.
    package func room(
        for ids: [Item.ID], below upper: Item?
    ) async throws -> (ranks: [Rank], changes: EntityChanges<Item>) {
        var changes = EntityChanges<Item>()
        let found = try await positions(of: ids, around: upper) { items in
            items.room(
                for: ids, at: upper.flatMap { items.position(of: $0.id) }.map { $0 + 1 } ?? 0)
        }
        guard let found else { return ([], changes) }
        changes.replace(found.around, at: Array(found.positions.dropFirst(ids.count)))
        return (found.positions.prefix(ids.count).map(\.rank), changes)
    }

    /// Returns the result of `place`, which is called with the items around `target`, or with the
    /// first items of the list. If items beyond these might also have to make room, it is called
    /// again with more items.
    ///
    /// - Parameters:
    ///   - ids: the items to place.
    ///   - place: returns the positions of `ids` and of the items that make room for them, or `nil`
    ///     for no change. May first update the items with earlier changes of the command.
    /// - Returns: the positions and the items around `target`.
    package func positions(
        of ids: [Item.ID], around target: Item?,
        _ place: (inout EntityStore<Item>) -> [ItemPosition]?
    ) async throws -> (positions: [ItemPosition], around: [Item])? {
        let placed = Set(ids)
        var limit = ids.count + 1
        while true {
            var above: [Item] = []
            if let target { above = try await loadItems(before: target.position, limit: limit) }
            let below = try await loadItems(after: target?.position, limit: limit)
            var items = EntityStore(above + [target].compactMap(\.self) + below)
            guard let positions = place(&items) else { return nil }
            let room = Set(positions.dropFirst(ids.count).map(\.id))
            func isInside(_ end: Item?) -> Bool { end.map { !room.contains($0.id) } ?? false }
            if above.count < limit || isInside(above.first { !placed.contains($0.id) }),
                below.count < limit || isInside(below.last { !placed.contains($0.id) })
            {
                return (positions, items.values)
            }
            limit *= 2
        }
    }

    /// Returns the last item by (rank, id), or nil if there is none.
    package func lastItem() async throws -> Item? {
        guard let rank = try await lastItemRank() else { return nil }
        let end = ItemPosition(
            rank: Rank.between(rank, nil),
            id: Item.ID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        return try await loadItems(before: end, limit: 1).last
    }
}

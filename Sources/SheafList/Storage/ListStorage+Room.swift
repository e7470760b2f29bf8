import FoundationEssentials
import Swidux

extension ListStorage {
    /// The ranks of items that are to stand directly below `upper`, in the order of `ids`, and the
    /// items that make room for them: ``Position/room(for:below:above:)``.
    ///
    /// - Parameter upper: the item above, which is not among `ids`; nil for the beginning.
    package func room(
        for ids: [Item.ID], below upper: Item?
    ) async throws -> (ranks: [Rank], changes: EntityChanges<Item>) {
        let moved = Set(ids)
        var limit = ids.count + 1
        while true {
            var above: [Item] = []
            if let upper {
                above = try await loadItems(before: upper.position, limit: limit) + [upper]
                above.reverse()
            }
            let below = try await loadItems(after: upper?.position, limit: limit)
            let sides = [(above, isAll: above.count <= limit), (below, isAll: below.count < limit)]
            let others = sides.map { side in side.0.filter { !moved.contains($0.id) } }
            let room = ItemPosition.room(
                for: ids, below: others[0].lazy.map(\.position),
                above: others[1].lazy.map(\.position))
            let neighbors = room.dropFirst(ids.count)
            let run = Set(neighbors.map(\.id))
            // A run that reaches the end of a page may need more of the list.
            let isEnough = zip(sides, others).allSatisfy { side, others in
                side.isAll || others.last.map { !run.contains($0.id) } ?? false
            }
            if isEnough {
                var changes = EntityChanges<Item>()
                changes.replace(others[0] + others[1], at: Array(neighbors))
                return (room.prefix(ids.count).map(\.rank), changes)
            }
            limit *= 2
        }
    }

    /// The last item by (rank, id), or nil if there is none.
    package func lastItem() async throws -> Item? {
        guard let rank = try await lastItemRank() else { return nil }
        let end = ItemPosition(
            rank: Rank.between(rank, nil),
            id: Item.ID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        return try await loadItems(before: end, limit: 1).last
    }
}

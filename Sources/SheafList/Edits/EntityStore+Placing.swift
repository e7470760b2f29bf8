import Swidux

/// A side of an entity, on which others are placed.
package enum Side: String, Sendable {
    case before, after
}

extension EntityStore where Entity: Ranked {
    /// Returns the positions of entities that are placed on a side of `target`, in the order of
    /// `ids`, followed by the positions of entities that make room for them. Returns `nil` if all
    /// are there already. O(`ids` × log n).
    ///
    /// The store may hold only the part of the list around `target`, and need not hold `ids`.
    ///
    /// - Parameter target: the entity beside which they are placed, or `nil` for the beginning. If
    ///   it is one of `ids`, they are placed before or after its row.
    package func positions(
        placing ids: [Entity.ID], _ side: Side, _ target: Entity.ID?
    ) -> [Position<Entity.ID>]? {
        let moved = Set(ids)
        let row = target.flatMap(position(of:)).map { side == .after ? $0 + 1 : $0 } ?? 0
        var first = row
        while let above = id(at: first - 1), moved.contains(above) { first -= 1 }
        let isThere = page(at: first, count: ids.count).elementsEqual(ids) { $0.id == $1 }
        return isThere ? nil : room(for: ids, at: row)
    }
}

import FoundationEssentials

/// The place of an entity in an order: by its rank and, if ranks are equal, by its id.
///
/// Stores and the rows of storage are sorted by position, and a position marks the end of a page.
@usableFromInline package struct Position<ID: Hashable & Sendable>: Hashable, Comparable, Sendable {
    /// The rank of the entity. Several entities may have the same rank.
    @usableFromInline package let rank: Rank
    /// The id of the entity.
    @usableFromInline package let id: ID

    /// Creates the position of the entity `id` at `rank`.
    @inlinable package init(rank: Rank, id: ID) {
        self.rank = rank
        self.id = id
    }

    /// Returns true if `lhs` comes before `rhs`.
    @inlinable package static func < (lhs: Position, rhs: Position) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        return precedes(lhs.id, rhs.id)
    }

    /// Compares two ids, for positions with equal ranks. Only ``Ranked`` entities, whose ids are
    /// `Comparable`, can have equal ranks, because the places that a store assigns are unique. Ids
    /// of any other type count as equal.
    @inlinable static func precedes(_ lhs: ID, _ rhs: ID) -> Bool {
        if let lhs = lhs as? UUID, let rhs = rhs as? UUID { return lhs < rhs }
        guard let lhs = lhs as? any Comparable else { return false }
        return precedes(lhs, rhs)
    }

    @inlinable static func precedes<C: Comparable>(_ lhs: C, _ rhs: ID) -> Bool {
        guard let rhs = rhs as? C else { return false }
        return lhs < rhs
    }
}

extension Position {
    /// Returns the positions of `ids`, in their order, between two neighbors.
    ///
    /// No rank fits between two equal ranks, and no rank may be longer than ``Rank/maxDigits``. If
    /// either rule leaves no room, neighbors receive new ranks too, and follow `ids` in the result.
    /// The new ranks are evenly spread and at most half as long as allowed, so that many insertions
    /// fit before neighbors must move again. The number of such neighbors doubles until there is
    /// room, on the side of the longer ranks. O(result).
    ///
    /// - Parameters:
    ///   - preceding: the positions above, the nearest first, without `ids`.
    ///   - following: the positions below, the nearest first, without `ids`.
    @inlinable package static func room(
        for ids: [ID], below preceding: some Sequence<Position>,
        above following: some Sequence<Position>
    ) -> [Position] {
        var (preceding, following) = (preceding.makeIterator(), following.makeIterator())
        var (lower, upper) = (preceding.next(), following.next())
        var above: [ID] = []
        var below: [ID] = []
        var maxDigits = Rank.maxDigits
        while true {
            while let next = upper, let lower, next.rank <= lower.rank {
                below.append(next.id)
                upper = following.next()
            }
            let run = above.reversed() + ids + below
            let ranks = Rank.spread(run.count, between: lower?.rank, and: upper?.rank)
            if lower == nil && upper == nil
                || !ranks.contains(where: { $0.isLonger(than: maxDigits) })
            {
                let positions = zip(run, ranks).map { Position(rank: $1, id: $0) }
                let end = above.count + ids.count
                return Array(
                    positions[above.count..<end] + positions[..<above.count] + positions[end...])
            }
            maxDigits = Rank.maxDigits / 2
            for _ in 0...(above.count + below.count) {
                if let next = lower, upper.map({ Rank.isShorter($0.rank, next.rank) }) ?? true {
                    above.append(next.id)
                    lower = preceding.next()
                } else if let next = upper {
                    below.append(next.id)
                    upper = following.next()
                }
            }
        }
    }
}

extension Ranked where ID: Hashable & Sendable {
    /// The position of the entity.
    @inlinable package var position: Position<ID> { Position(rank: rank, id: id) }
}

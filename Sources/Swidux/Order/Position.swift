import FoundationEssentials

/// Where an entity stands among others: at its rank, and of equal ranks by its id.
///
/// Stores are sorted by positions, pages end at one, and storage keeps rows in their order.
public struct Position<ID: Hashable & Sendable>: Hashable, Comparable, Sendable {
    /// The place that is given to the entity; equal ranks are legal.
    public let rank: Rank
    /// The entity.
    public let id: ID

    /// The position of the entity `id` at `rank`.
    @inlinable public init(rank: Rank, id: ID) {
        self.rank = rank
        self.id = id
    }

    /// True if `lhs` stands before `rhs`.
    @inlinable public static func < (lhs: Position, rhs: Position) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        return precedes(lhs.id, rhs.id)
    }

    /// Ids are compared only where ranks are equal, which happens only among ``Ranked`` entities,
    /// whose ids are `Comparable`: the places that a store gives are unique. Ids of any other type
    /// count as equal.
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
    /// The positions of `ids`, in their order, directly below `lower`.
    ///
    /// There is no rank between two equal ones. Where the entities below have the rank of `lower`,
    /// these follow `ids` in the result, with new positions. O(result).
    ///
    /// - Parameters:
    ///   - lower: the position above, or nil for the beginning.
    ///   - following: the ascending positions below, without `ids`. They are read up to the first
    ///     with a higher rank than `lower`.
    @inlinable public static func room(
        for ids: [ID], below lower: Position?, above following: some Sequence<Position>
    ) -> [Position] {
        var ids = ids
        var upper: Rank?
        for position in following {
            guard let lower, position.rank <= lower.rank else {
                upper = position.rank
                break
            }
            ids.append(position.id)
        }
        let ranks = Rank.spread(ids.count, between: lower?.rank, and: upper)
        return zip(ids, ranks).map { Position(rank: $1, id: $0) }
    }
}

extension Ranked where ID: Hashable & Sendable {
    /// Where the entity stands.
    @inlinable public var position: Position<ID> { Position(rank: rank, id: id) }
}

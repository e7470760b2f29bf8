import FoundationEssentials

/// An immutable entity on the heap, so that tables and journals share it and stay small.
@usableFromInline class EntityBox<Entity: Sendable>: @unchecked Sendable {
    // Unchecked only because it has a subclass; both hold nothing but constants.
    @usableFromInline final let entity: Entity

    @inlinable init(_ entity: Entity) { self.entity = entity }
}

/// The box of an entity without a rank, with the place that its store gave it.
@usableFromInline
final class PlacedEntityBox<Entity: Sendable>: EntityBox<Entity>, @unchecked Sendable {
    @usableFromInline let place: Rank

    @inlinable init(_ entity: Entity, at place: Rank) {
        self.place = place
        super.init(entity)
    }
}

/// What a store is sorted by: the rank, then the id.
@usableFromInline struct OrderKey<ID: Hashable & Sendable>: Hashable, Comparable, Sendable {
    @usableFromInline let rank: Rank
    @usableFromInline let id: ID

    @inlinable init(rank: Rank, id: ID) {
        self.rank = rank
        self.id = id
    }

    @inlinable static func < (lhs: OrderKey, rhs: OrderKey) -> Bool {
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

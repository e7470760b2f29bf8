/// One value of an ``EntityStore``, shared with it by reference, not copied.
///
/// Use it in an index over many entities that is updated from ``EntityStore/deltas(since:)`` and
/// sometimes needs a whole entity. The value stays the same when the entity changes later.
@usableFromInline package class SharedEntity<Entity: Sendable>: @unchecked Sendable {
    // Unchecked only because the class has a subclass. Both have only constants.

    /// The entity at the time when it was shared. O(1).
    @usableFromInline package final let value: Entity

    /// Wraps a value that is in no store yet.
    @inlinable package init(_ value: Entity) { self.value = value }

    /// The identity of this shared value, which differs from that of every other one.
    @inlinable package final var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// An entity without a rank, with the place that its store gave it.
@usableFromInline
final class PlacedEntity<Entity: Sendable>: SharedEntity<Entity>, @unchecked Sendable {
    @usableFromInline let place: Rank

    @inlinable init(_ entity: Entity, at place: Rank) {
        self.place = place
        super.init(entity)
    }
}

extension EntityStore {
    /// Returns the entity with this id, shared. O(log n).
    @inlinable package func shared(_ id: Entity.ID) -> SharedEntity<Entity>? { table[id] }

    /// All entities in order, shared. O(1): it is a copy of the store's own array.
    @inlinable package var shared: ChunkedArray<SharedEntity<Entity>> { order }
}

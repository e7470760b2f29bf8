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

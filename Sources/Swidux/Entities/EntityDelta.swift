/// The change of one entity between two revisions of its store.
@usableFromInline package struct EntityDelta<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    /// The id of the entity, at both revisions.
    @usableFromInline package let id: Entity.ID
    /// True if the changes include an edit. False if there was only hydration, which records
    /// nothing.
    @usableFromInline package internal(set) var isRecorded: Bool

    @usableFromInline let beforeBox: SharedEntity<Entity>?
    @usableFromInline let afterBox: SharedEntity<Entity>?
    @usableFromInline var recordedBox: SharedEntity<Entity>?

    /// The value at the earlier revision, or nil if the store did not have the entity.
    @inlinable package var before: Entity? { beforeBox?.value }
    /// The value at the later revision, or nil if the store does not have the entity.
    @inlinable package var after: Entity? { afterBox?.value }
    /// The value before the first edit: `before`, unless hydration added the entity in between.
    /// Undo returns to it.
    @inlinable package var beforeRecorded: Entity? { recordedBox?.value }

    @inlinable init(
        id: Entity.ID, before: SharedEntity<Entity>?, after: SharedEntity<Entity>?,
        isRecorded: Bool
    ) {
        self.id = id
        beforeBox = before
        afterBox = after
        recordedBox = before
        self.isRecorded = isRecorded
    }

    /// Records an edit of `value`, which only hydration has touched so far.
    @inlinable mutating func record(from value: SharedEntity<Entity>?) {
        isRecorded = true
        recordedBox = value
    }
}

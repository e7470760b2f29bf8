/// How one entity changed between two revisions of its store.
@usableFromInline package struct EntityDelta<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    /// The id of the entity, at both revisions.
    @usableFromInline package let id: Entity.ID
    /// Whether the changes include an edit. False for hydration, which records nothing.
    @usableFromInline package let isRecorded: Bool

    @usableFromInline let beforeBox: SharedEntity<Entity>?
    @usableFromInline let afterBox: SharedEntity<Entity>?
    @usableFromInline let recordedBox: SharedEntity<Entity>?

    /// The value at the earlier revision, or nil if it was not there.
    @inlinable package var before: Entity? { beforeBox?.value }
    /// The value at the later revision, or nil if it is not there.
    @inlinable package var after: Entity? { afterBox?.value }
    /// The value before the first edit: `before`, unless hydration brought the entity in between.
    /// Undo returns to it.
    @inlinable package var beforeRecorded: Entity? { recordedBox?.value }

    @inlinable init(
        id: Entity.ID, before: SharedEntity<Entity>?, after: SharedEntity<Entity>?,
        recorded: SharedEntity<Entity>?,
        isRecorded: Bool
    ) {
        self.id = id
        beforeBox = before
        afterBox = after
        recordedBox = recorded
        self.isRecorded = isRecorded
    }
}

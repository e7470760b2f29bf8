/// How one entity changed between two revisions of its store.
public struct EntityDelta<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    /// The id of the entity, at both revisions.
    public let id: Entity.ID
    /// Whether the changes include an edit. False for hydration, which records nothing.
    @usableFromInline package let isRecorded: Bool

    @usableFromInline let beforeBox: EntityBox<Entity>?
    @usableFromInline let afterBox: EntityBox<Entity>?
    @usableFromInline let recordedBox: EntityBox<Entity>?

    /// The value at the earlier revision, or nil if it was not there.
    @inlinable public var before: Entity? { beforeBox?.entity }
    /// The value at the later revision, or nil if it is not there.
    @inlinable public var after: Entity? { afterBox?.entity }
    /// The value before the first edit: `before`, unless hydration brought the entity in between.
    /// Undo returns to it.
    @inlinable package var beforeRecorded: Entity? { recordedBox?.entity }

    @inlinable init(
        id: Entity.ID, before: EntityBox<Entity>?, after: EntityBox<Entity>?,
        recorded: EntityBox<Entity>?,
        isRecorded: Bool
    ) {
        self.id = id
        beforeBox = before
        afterBox = after
        recordedBox = recorded
        self.isRecorded = isRecorded
    }
}

/// A change of one entity: its value before and after.
///
/// If `before` is nil, the entity was inserted. If `after` is nil, it was deleted. If both are nil,
/// it was deleted, and its earlier value is not known.
@usableFromInline
package struct EntityChange<Entity: Sendable>: Sendable {
    /// The value that storage is known to have.
    @usableFromInline var beforeBox: SharedEntity<Entity>?
    @usableFromInline var afterBox: SharedEntity<Entity>?
    /// The inserted entity that a deletion removes before storage has confirmed the insertion. The
    /// deletion must not remove another process's entity with the same id.
    @usableFromInline var cancelledInsertion: SharedEntity<Entity>?

    @inlinable init(
        before: SharedEntity<Entity>?, after: SharedEntity<Entity>?,
        cancelledInsertion: SharedEntity<Entity>? = nil
    ) {
        beforeBox = before
        afterBox = after
        self.cancelledInsertion = cancelledInsertion
    }

    /// Creates a change from `before` to `after`.
    @inlinable package init(before: Entity?, after: Entity?) {
        self.init(before: before.map(SharedEntity.init), after: after.map(SharedEntity.init))
    }

    /// The value that storage is known to have had before the change. Storage compares it with the
    /// stored row, so that a write does not undo another process's edit. If the entity was inserted
    /// and deleted before a commit, this is the inserted entity.
    @inlinable package var before: Entity? {
        get { (beforeBox ?? cancelledInsertion)?.value }
        set {
            beforeBox = newValue.map(SharedEntity.init)
            cancelledInsertion = nil
        }
    }

    /// The value that storage should have after the change, or nil for a deletion.
    @inlinable package var after: Entity? {
        get { afterBox?.value }
        set { afterBox = newValue.map(SharedEntity.init) }
    }

    /// Returns this change followed by a later one.
    @inlinable func followed(by later: EntityChange) -> EntityChange {
        let cancelsInsertion = beforeBox == nil && later.afterBox == nil
        return EntityChange(
            before: beforeBox, after: later.afterBox,
            cancelledInsertion: cancelsInsertion ? afterBox ?? cancelledInsertion : nil)
    }
}

extension EntityChange: Equatable where Entity: Equatable {
    /// Returns true if both changes have equal values before, and equal values after.
    @inlinable package static func == (left: EntityChange, right: EntityChange) -> Bool {
        left.before == right.before && left.after == right.after
    }
}

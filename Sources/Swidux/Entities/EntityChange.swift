/// A change of one entity: its value before and after.
///
/// Before nil: it was inserted. After nil: it was deleted. Both nil: it was deleted, and its value
/// is not known.
@usableFromInline
package struct EntityChange<Entity: Sendable>: Sendable {
    /// The value that storage is known to have.
    @usableFromInline var beforeBox: SharedEntity<Entity>?
    @usableFromInline var afterBox: SharedEntity<Entity>?
    /// The entity that a deletion takes back before storage is known to have it. The deletion is
    /// not for another process's entity of that id.
    @usableFromInline var takenBack: SharedEntity<Entity>?

    @inlinable init(
        before: SharedEntity<Entity>?, after: SharedEntity<Entity>?,
        takenBack: SharedEntity<Entity>? = nil
    ) {
        beforeBox = before
        afterBox = after
        self.takenBack = takenBack
    }

    /// A change from `before` to `after`.
    @inlinable package init(before: Entity?, after: Entity?) {
        self.init(before: before.map(SharedEntity.init), after: after.map(SharedEntity.init))
    }

    /// The value that storage is known to have had before the change. With it, storage can tell a
    /// write from one that would undo another process's edit. The deletion of an entity that was
    /// inserted and not yet committed has that entity.
    @inlinable package var before: Entity? {
        get { (beforeBox ?? takenBack)?.value }
        set {
            beforeBox = newValue.map(SharedEntity.init)
            takenBack = nil
        }
    }

    /// The value that storage is to have.
    @inlinable package var after: Entity? {
        get { afterBox?.value }
        set { afterBox = newValue.map(SharedEntity.init) }
    }

    /// Returns this change followed by a later one.
    @inlinable func followed(by later: EntityChange) -> EntityChange {
        let takesBack = beforeBox == nil && later.afterBox == nil
        return EntityChange(
            before: beforeBox, after: later.afterBox,
            takenBack: takesBack ? afterBox ?? takenBack : nil)
    }
}

extension EntityChange: Equatable where Entity: Equatable {
    /// True if both begin and end with equal values.
    @inlinable package static func == (left: EntityChange, right: EntityChange) -> Bool {
        left.before == right.before && left.after == right.after
    }
}

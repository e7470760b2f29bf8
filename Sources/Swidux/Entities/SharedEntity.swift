/// One value of an ``EntityStore``, shared with it: eight bytes, and no copy of what the value
/// holds.
///
/// It is for an index of your own over many entities, which is kept up by
/// ``EntityStore/deltas(since:)`` and goes back to the whole of an entity now and then. The value
/// is that of the moment when it was taken, whatever becomes of the entity.
public struct SharedEntity<Entity: Sendable>: Sendable {
    @usableFromInline let box: EntityBox<Entity>

    @inlinable init(_ box: EntityBox<Entity>) { self.box = box }

    /// A value that no store has.
    @inlinable public init(_ value: Entity) { box = EntityBox(value) }

    /// The entity as it was. O(1).
    @inlinable public var value: Entity { box.entity }

    /// Equal for copies of one value.
    @inlinable public var identity: ObjectIdentifier { ObjectIdentifier(box) }
}

extension EntityStore {
    /// The entity with this id, shared. O(log n).
    @inlinable public func shared(_ id: ID) -> SharedEntity<Entity>? {
        table[id].map(SharedEntity.init)
    }

    /// All entities in order, shared. O(1): it is a copy of the store's own array.
    @inlinable public var shared: ChunkedArray<SharedEntity<Entity>> { order }
}

extension EntityDelta {
    /// The value at the later revision, shared, or nil if it is not there.
    @inlinable public var sharedAfter: SharedEntity<Entity>? { afterBox.map(SharedEntity.init) }
}

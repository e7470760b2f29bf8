extension EntityStore: Sequence {
    /// Iterates over the entities in order. The iterator keeps the present content, so the store
    /// may change during the iteration.
    @inlinable public func makeIterator() -> some IteratorProtocol<Entity> {
        order.lazy.map(\.value).makeIterator()
    }

    @inlinable public var underestimatedCount: Int { count }

    /// The ids in order, not copied: O(1) to make, O(log n) to index.
    @inlinable package var ids: IDs { order.lazy.map { $0.value.id } }

    /// The ids of an ``EntityStore`` in order.
    @usableFromInline
    package typealias IDs = LazyMapCollection<ChunkedArray<SharedEntity<Entity>>, Entity.ID>
}

/// Equality of the entities and their order. O(1) for a copy that was not changed, O(√n) for one
/// with a few edits, O(n) for stores that were filled separately.
extension EntityStore: Equatable {
    @inlinable public static func == (lhs: EntityStore, rhs: EntityStore) -> Bool {
        if lhs.revision == rhs.revision { return true }
        return lhs.order.isEqual(to: rhs.order) { $0 === $1 || $0.value == $1.value }
    }
}

extension EntityStore: CustomStringConvertible {
    @inlinable public var description: String { "EntityStore(\(count) \(Entity.self))" }
}

/// Reflects the entities in order, so that a dump or a difference of a state shows them and not the
/// trees.
extension EntityStore: CustomReflectable {
    @inlinable public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: values, displayStyle: .collection)
    }
}

extension EntityStore: Sequence {
    /// Iterates over the entities in order. It holds the store's content, so the store may change
    /// meanwhile.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var base: ChunkedArray<SharedEntity<Entity>>.Iterator

        @inlinable init(_ base: ChunkedArray<SharedEntity<Entity>>.Iterator) { self.base = base }

        @inlinable public mutating func next() -> Entity? { base.next()?.value }
    }

    @inlinable public func makeIterator() -> Iterator { Iterator(order.makeIterator()) }

    @inlinable public var underestimatedCount: Int { count }

    /// The ids in order, not copied: O(1) to make, O(log n) to index.
    @inlinable public var ids: IDs { IDs(order: order) }

    /// The ids of an ``EntityStore`` in order.
    public struct IDs: RandomAccessCollection, Sendable {
        @usableFromInline let order: ChunkedArray<SharedEntity<Entity>>

        @inlinable init(order: ChunkedArray<SharedEntity<Entity>>) { self.order = order }

        @inlinable public var startIndex: Int { 0 }
        @inlinable public var endIndex: Int { order.count }
        @inlinable public subscript(position: Int) -> ID { order[position].value.id }

        public struct Iterator: IteratorProtocol {
            @usableFromInline var base: ChunkedArray<SharedEntity<Entity>>.Iterator

            @inlinable init(_ base: ChunkedArray<SharedEntity<Entity>>.Iterator) {
                self.base = base
            }

            @inlinable public mutating func next() -> ID? { base.next()?.value.id }
        }

        @inlinable public func makeIterator() -> Iterator { Iterator(order.makeIterator()) }
    }
}

/// Equal when they hold equal entities in the same order; O(1) for a copy that was not changed.
extension EntityStore: Equatable {
    @inlinable public static func == (lhs: EntityStore, rhs: EntityStore) -> Bool {
        if lhs.revision == rhs.revision { return true }
        return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0 == $1 }
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

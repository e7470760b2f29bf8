extension EntityStore: Sequence {
    /// Walks the entities in order. It holds the store's content, so the store may change meanwhile.
    public struct Iterator: IteratorProtocol {
        private var keys: OrderedTree<OrderKey<ID>>.Iterator
        private let store: EntityStore

        init(_ store: EntityStore) {
            keys = store.order.makeIterator()
            self.store = store
        }

        public mutating func next() -> Entity? { keys.next().flatMap { store[$0.id] } }
    }

    public func makeIterator() -> Iterator { Iterator(self) }

    public var underestimatedCount: Int { count }

    /// The ids in order, not copied: O(1) to make, O(log n) to index.
    public var ids: IDs { IDs(order: order) }

    /// The ids of an ``EntityStore`` in order.
    public struct IDs: RandomAccessCollection, Sendable {
        let order: OrderedTree<OrderKey<ID>>

        public var startIndex: Int { 0 }
        public var endIndex: Int { order.count }
        public subscript(position: Int) -> ID { order[position].id }

        public struct Iterator: IteratorProtocol {
            var keys: OrderedTree<OrderKey<ID>>.Iterator

            public mutating func next() -> ID? { keys.next()?.id }
        }

        public func makeIterator() -> Iterator { Iterator(keys: order.makeIterator()) }
    }
}

/// Equal when they hold equal entities in the same order; O(1) for a copy that was not changed.
extension EntityStore: Equatable {
    public static func == (lhs: EntityStore, rhs: EntityStore) -> Bool {
        if lhs.revision == rhs.revision { return true }
        return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0 == $1 }
    }
}

extension EntityStore: CustomStringConvertible {
    public var description: String { "EntityStore(\(count) \(Entity.self))" }
}

/// Shows the entities in order, so that a dump or a difference of a state is about them and not about trees.
extension EntityStore: CustomReflectable {
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: values, displayStyle: .collection)
    }
}

/// A filtered index over an ``EntityStore``, maintained from its deltas and never rebuilt for one
/// edit.
///
/// It lives in the state beside the store, and the reducer updates it after every action that may
/// have changed the store:
///
/// ```swift
/// state.open = EntityView { !$0.isDone }
/// state.open.update(from: state.items)      // O(changes × log n)
/// let screen = state.open.page(at: top, count: 40)
/// ```
///
/// Entities are in the store's order. A view shows the content of its last update, even if the
/// store has changed since. To change the filter, make a new view. Views are equal if they show
/// equal entities in the same order; that costs O(1) for a copy that was not changed.
public struct EntityView<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    /// The type of the ids.
    public typealias ID = Entity.ID

    @usableFromInline let isIncluded: @Sendable (Entity) -> Bool
    /// The store at the last update; its revision is the cursor, and it knows the positions.
    @usableFromInline var source = EntityStore<Entity>()
    @usableFromInline var rows = ChunkedArray<SharedEntity<Entity>>()

    /// Creates a view of the entities for which `isIncluded` is true, empty until its first update.
    /// `isIncluded` must depend only on the entity and its captured values.
    @inlinable public init(isIncluded: @escaping @Sendable (Entity) -> Bool) {
        self.isIncluded = isIncluded
    }

    /// Applies the changes of `store` since the last update. O(changes × log n), O(1) if there are
    /// none, and O(n) only when `store` does not continue the one of the last update.
    @inlinable public mutating func update(from store: EntityStore<Entity>) {
        guard store.revision != source.revision else { return }
        let deltas = store.deltas(since: source.revision)
        source = store
        guard let deltas else { return rebuild() }
        for delta in deltas {
            let place = delta.beforeBox.flatMap(place(of:))
            guard let after = delta.afterBox, isIncluded(after.value) else {
                if let place { rows.remove(at: place) }
                continue
            }
            if let place, delta.beforeBox.map(store.key(of:)) == store.key(of: after) {
                rows.replace(at: place, with: after)
            } else {
                if let place { rows.remove(at: place) }
                let key = store.key(of: after)
                rows.insert(
                    after, at: rows.place { store.key(of: $0) < key })
            }
        }
    }

    /// The place of an entity, or nil if it is not shown. O(log n).
    @inlinable func place(
        of box: SharedEntity<Entity>
    ) -> ChunkedArray<SharedEntity<Entity>>.Place? {
        let key = source.key(of: box)
        let place = rows.place { source.key(of: $0) < key }
        return rows[place]?.value.id == box.value.id ? place : nil
    }

    /// The number of entities shown. O(1).
    @inlinable public var count: Int { rows.count }
    /// Whether no entity is shown. O(1).
    @inlinable public var isEmpty: Bool { rows.count == 0 }

    /// Whether the entity is shown. O(log n).
    @inlinable public func contains(_ id: ID) -> Bool { position(of: id) != nil }

    /// The row of the entity with this id, or nil if it is not shown. O(log n).
    @inlinable public func position(of id: ID) -> Int? {
        source.table[id].flatMap(place(of:)).map(rows.position(of:))
    }

    /// The id at a row, or nil if there is no such row. O(log n).
    @inlinable public func id(at position: Int) -> ID? {
        position >= 0 && position < count ? rows[position].value.id : nil
    }

    /// The ids at the rows of `range`, clamped to the rows that exist. O(log n + size of the
    /// range).
    @inlinable package func ids(in range: Range<Int>) -> [ID] {
        rows.page(at: range.lowerBound, count: range.count).map(\.value.id)
    }

    /// All ids in order, not copied.
    @inlinable package var ids: EntityStore<Entity>.IDs { rows.lazy.map { $0.value.id } }

    /// Up to `count` entities from a row on, for a screen. O(count × log n).
    @inlinable public func page(at position: Int, count: Int) -> [Entity] {
        rows.page(at: position, count: count).map(\.value)
    }

    @inlinable mutating func rebuild() {
        rows = ChunkedArray(source.order.filter { isIncluded($0.value) })
    }
}

extension EntityView: Equatable {
    @inlinable public static func == (lhs: EntityView, rhs: EntityView) -> Bool {
        if lhs.source.revision == rhs.source.revision, lhs.rows.isSame(as: rhs.rows) { return true }
        return lhs.count == rhs.count && zip(lhs.rows, rhs.rows).allSatisfy { $0.value == $1.value }
    }
}

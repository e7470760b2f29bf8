/// A filtered or sorted index over an ``EntityStore``. It is updated from the store's changes,
/// without a rebuild for one edit.
///
/// It lives in the state beside the store, and the reducer updates it after every action that may
/// have changed the store:
///
/// ```swift
/// state.open = EntityView { !$0.isDone }                  // or EntityView(by: \.name)
/// state.open.update(from: state.items)      // O(changes × log n)
/// let screen = state.open.page(at: top, count: 40)
/// ```
///
/// Entities are in the store's order, or sorted by a key. A view shows the content of its last
/// update, even if the store has changed since. To change the filter or the key, make a new view.
/// Views are equal if they show equal entities in the same order. The comparison costs O(√n) for a
/// copy with a few edits.
public struct EntityView<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    @usableFromInline typealias Box = SharedEntity<Entity>

    @usableFromInline let isIncluded: @Sendable (Entity) -> Bool
    /// The order of a sorted view, or nil for the store's order.
    @usableFromInline let order: EntityOrder<Entity>?
    /// The store at the last update. Its revision is the cursor, and it provides the positions of
    /// entities.
    @usableFromInline var source = EntityStore<Entity>()
    @usableFromInline var rows = ChunkedArray<Box>()

    /// Creates a view of the entities for which `isIncluded` is true, empty until its first update.
    /// `isIncluded` must depend only on the entity and its captured values.
    @inlinable public init(isIncluded: @escaping @Sendable (Entity) -> Bool) {
        self.isIncluded = isIncluded
        order = nil
    }

    /// Creates a view that is sorted by a key, empty until its first update. Entities with equal
    /// keys are in the store's order, in both directions.
    ///
    /// - Parameters:
    ///   - sortKey: the key, which must depend only on the entity.
    ///   - isDescending: true if the greatest key comes first.
    ///   - isIncluded: selects the entities to show, by default all. It must depend only on the
    ///     entity and its captured values.
    public init<Key: Comparable & Sendable>(
        by sortKey: @escaping @Sendable (Entity) -> Key, isDescending: Bool = false,
        isIncluded: @escaping @Sendable (Entity) -> Bool = { _ in true }
    ) {
        self.isIncluded = isIncluded
        order = EntityOrder(by: sortKey, isDescending: isDescending)
    }

    /// Applies the changes of `store` since the last update. O(changes × log n), or O(1) if there
    /// are none. If `store` is not a later state of the store of the last update: O(n), or O(n log
    /// n) if the view is sorted.
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
            if let place, let before = delta.beforeBox, isTied(before, after) {
                rows.replace(at: place, with: after)
            } else {
                if let place { rows.remove(at: place) }
                rows.insert(after, at: insertionPlace(of: after))
            }
        }
    }

    /// Returns the place of an entity, or nil if it is not shown. O(log n).
    @inlinable func place(of box: Box) -> ChunkedArray<Box>.Place? {
        let place = insertionPlace(of: box)
        return rows[place]?.value.id == box.value.id ? place : nil
    }

    /// Returns the place of an entity, or the one where it would be inserted. O(log n).
    @inlinable func insertionPlace(of box: Box) -> ChunkedArray<Box>.Place {
        let key = source.key(of: box)
        guard let order else { return rows.place { source.key(of: $0) < key } }
        let isBefore = order.isBefore(box.value)
        return rows.place { isBefore($0.value) ?? (source.key(of: $0) < key) }
    }

    /// Returns true if two values of one entity have the same place.
    @inlinable func isTied(_ left: Box, _ right: Box) -> Bool {
        guard source.key(of: left) == source.key(of: right) else { return false }
        guard let order else { return true }
        return order.isBefore(left.value)(right.value) == nil
    }

    /// The number of entities shown. O(1).
    @inlinable public var count: Int { rows.count }
    /// True if no entity is shown. O(1).
    @inlinable package var isEmpty: Bool { rows.count == 0 }

    /// Returns true if the entity is shown. O(log n).
    @inlinable package func contains(_ id: Entity.ID) -> Bool { position(of: id) != nil }

    /// Returns the row of the entity with this id, or nil if it is not shown. O(log n).
    @inlinable public func position(of id: Entity.ID) -> Int? {
        source.table[id].flatMap(place(of:)).map(rows.position(of:))
    }

    /// Returns the id at a row, or nil if there is no such row. O(log n).
    @inlinable public func id(at position: Int) -> Entity.ID? {
        position >= 0 && position < count ? rows[position].value.id : nil
    }

    /// Returns the ids at the rows of `range`, clamped to the rows that exist. O(log n + size of
    /// the range).
    @inlinable package func ids(in range: Range<Int>) -> [Entity.ID] {
        rows.page(at: range.lowerBound, count: range.count).map(\.value.id)
    }

    /// All ids in order, not copied.
    @inlinable package var ids: EntityStore<Entity>.IDs { rows.lazy.map { $0.value.id } }

    /// Returns up to `count` entities from a row on, for a screen. O(count × log n).
    @inlinable public func page(at position: Int, count: Int) -> [Entity] {
        rows.page(at: position, count: count).map(\.value)
    }

    @inlinable mutating func rebuild() {
        let included = source.order.filter { isIncluded($0.value) }
        rows = ChunkedArray(order?.sorted(included) ?? included)
    }
}

extension EntityView: Equatable {
    @inlinable public static func == (lhs: EntityView, rhs: EntityView) -> Bool {
        lhs.rows.isEqual(to: rhs.rows) { $0 === $1 || $0.value == $1.value }
    }
}

/// The order of a sorted view, with the type of its key erased.
@usableFromInline struct EntityOrder<Entity: Sendable>: Sendable {
    /// Takes an entity, and returns a function that takes another one. That function returns true
    /// if the other one belongs before the first, and nil if their keys are equal. The key of the
    /// first entity is computed only once.
    @usableFromInline let isBefore: @Sendable (Entity) -> (Entity) -> Bool?
    /// Returns entities sorted. Those with equal keys keep their order.
    @usableFromInline let sorted: @Sendable ([SharedEntity<Entity>]) -> [SharedEntity<Entity>]

    init<Key: Comparable & Sendable>(
        by sortKey: @escaping @Sendable (Entity) -> Key, isDescending: Bool
    ) {
        let isBefore = { @Sendable (left: Key, right: Key) -> Bool? in
            if left == right { return nil }
            return isDescending ? left > right : left < right
        }
        self.isBefore = { entity in
            let key = sortKey(entity)
            return { other in isBefore(sortKey(other), key) }
        }
        sorted = { entities in
            entities.enumerated()
                .map { (key: sortKey($1.value), index: $0, entity: $1) }
                .sorted { isBefore($0.key, $1.key) ?? ($0.index < $1.index) }
                .map(\.entity)
        }
    }
}

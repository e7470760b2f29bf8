/// A sorted, filtered index over an ``EntityStore``, maintained from its deltas and never rebuilt
/// for one edit.
///
/// ```swift
/// var byName = SortedEntityView<Item, String>(by: \.name) { !$0.isDone }
/// byName.update(from: state.items)      // O(changes × log n)
/// byName.page(at: 0, count: 40)
/// ```
///
/// Entities with equal keys are in the store's order, in both directions. For the store's own order
/// use ``EntityView``, which costs less and is otherwise the same.
public struct SortedEntityView<
    Entity: Identifiable & Equatable & Sendable, SortKey: Comparable & Sendable
>: Sendable where Entity.ID: Hashable & Sendable {
    /// The type of the ids.
    public typealias ID = Entity.ID

    private let sortKey: @Sendable (Entity) -> SortKey
    private let isDescending: Bool
    private let isIncluded: (@Sendable (Entity) -> Bool)?
    /// The store at the last update; it holds the place of every entity in the store's order.
    private var source = EntityStore<Entity>()
    private var rows = ChunkedArray<Row>()

    private typealias Row = SortedRow<Entity, SortKey>

    /// Creates a view that is empty until its first update.
    ///
    /// - Parameters:
    ///   - sortKey: the key that entities are sorted by. It must depend only on the entity.
    ///   - isDescending: whether the greatest key comes first.
    ///   - isIncluded: selects the entities to show; nil shows all.
    public init(
        by sortKey: @escaping @Sendable (Entity) -> SortKey, isDescending: Bool = false,
        isIncluded: (@Sendable (Entity) -> Bool)? = nil
    ) {
        self.sortKey = sortKey
        self.isDescending = isDescending
        self.isIncluded = isIncluded
    }

    /// Applies the changes of `store` since the last update. O(changes × log n), O(1) if there are
    /// none, and O(n log n) only when `store` does not continue the one of the last update.
    public mutating func update(from store: EntityStore<Entity>) {
        guard store.revision != source.revision else { return }
        let deltas = store.deltas(since: source.revision)
        source = store
        guard let deltas else { return rebuild() }
        for delta in deltas {
            if let place = delta.beforeBox.flatMap(place(of:)) { rows.remove(at: place) }
            if let row = delta.afterBox.flatMap(row(of:)) {
                rows.insert(row, at: rows.place { $0.key < row.key })
            }
        }
    }

    /// The number of entities shown. O(1).
    public var count: Int { rows.count }
    /// Whether no entity is shown. O(1).
    public var isEmpty: Bool { rows.count == 0 }

    /// Whether the entity is shown. O(log n).
    public func contains(_ id: ID) -> Bool { position(of: id) != nil }

    /// The row of the entity with this id, or nil if it is not shown. O(log n).
    public func position(of id: ID) -> Int? {
        source.table[id].flatMap(place(of:)).map(rows.position(of:))
    }

    /// The id at a row, or nil if there is no such row. O(log n).
    public func id(at position: Int) -> ID? {
        position >= 0 && position < count ? rows[position].box.value.id : nil
    }

    /// The ids at the rows of `range`, clamped to the rows that exist. O(log n + size of the
    /// range).
    package func ids(in range: Range<Int>) -> [ID] {
        rows.page(at: range.lowerBound, count: range.count).map(\.box.value.id)
    }

    /// Up to `count` entities from a row on, for a screen. O(count × log n).
    public func page(at position: Int, count: Int) -> [Entity] {
        rows.page(at: position, count: count).map(\.box.value)
    }

    /// The row of an entity, or nil if it is not included.
    private func row(of box: SharedEntity<Entity>) -> Row? {
        guard isIncluded?(box.value) ?? true else { return nil }
        let key = SortedKey(
            value: sortKey(box.value), isDescending: isDescending, place: source.key(of: box))
        return Row(key: key, box: box)
    }

    /// The place of an entity, or nil if it is not shown. O(log n).
    private func place(of box: SharedEntity<Entity>) -> ChunkedArray<Row>.Place? {
        guard let row = row(of: box) else { return nil }
        let place = rows.place { $0.key < row.key }
        return rows[place]?.box.value.id == box.value.id ? place : nil
    }

    private mutating func rebuild() {
        rows = ChunkedArray(
            source.order.compactMap { row(of: $0) }.sorted { $0.key < $1.key })
    }
}

extension SortedEntityView: Equatable {
    public static func == (lhs: SortedEntityView, rhs: SortedEntityView) -> Bool {
        if lhs.source.revision == rhs.source.revision, lhs.rows.isSame(as: rhs.rows) { return true }
        return lhs.count == rhs.count
            && zip(lhs.rows, rhs.rows).allSatisfy { $0.box.value == $1.box.value }
    }
}

/// An entity with its sort key.
private struct SortedRow<
    Entity: Identifiable & Sendable, SortKey: Comparable & Sendable
>: Sendable where Entity.ID: Hashable & Sendable {
    let key: SortedKey<SortKey, Entity.ID>
    let box: SharedEntity<Entity>
}

/// A sort key, then the place in the store.
struct SortedKey<Value: Comparable & Sendable, ID: Hashable & Sendable>: Comparable, Sendable {
    var value: Value
    var isDescending: Bool
    var place: Position<ID>

    static func < (lhs: SortedKey, rhs: SortedKey) -> Bool {
        if lhs.value != rhs.value {
            return lhs.isDescending ? lhs.value > rhs.value : lhs.value < rhs.value
        }
        return lhs.place < rhs.place
    }

    static func == (lhs: SortedKey, rhs: SortedKey) -> Bool {
        lhs.value == rhs.value && lhs.place == rhs.place
    }
}

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
    /// What an entity is found by.
    public typealias ID = Entity.ID

    private let sortKey: @Sendable (Entity) -> SortKey
    private let isDescending: Bool
    private let isIncluded: (@Sendable (Entity) -> Bool)?
    /// The store at the last update; it holds the place of every entity in the store's order.
    private var source = EntityStore<Entity>()
    private var tree = OrderedTree<SortedKey<SortKey, ID>>()

    /// A view that is empty until its first update.
    ///
    /// - Parameters:
    ///   - sortKey: what entities are sorted by. It must depend on nothing but the entity.
    ///   - isDescending: whether the greatest key comes first.
    ///   - isIncluded: which entities are shown, or nil for all of them.
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
        let old = source
        source = store
        guard let deltas = store.deltas(since: old.revision) else { return rebuild() }
        for delta in deltas {
            let oldKey = delta.beforeBox.flatMap { key(of: $0, in: old) }
            let newKey = delta.afterBox.flatMap { key(of: $0, in: store) }
            if let oldKey, oldKey != newKey { tree.remove(oldKey) }
            if let newKey { tree.insert(newKey) }
        }
    }

    /// The number of entities shown. O(1).
    public var count: Int { tree.count }
    /// Whether no entity is shown. O(1).
    public var isEmpty: Bool { tree.count == 0 }

    /// Whether the entity is shown. O(log n).
    public func contains(_ id: ID) -> Bool { position(of: id) != nil }

    /// The row of the entity with this id, or nil if it is not shown. O(log n).
    public func position(of id: ID) -> Int? {
        source.table[id].flatMap { key(of: $0, in: source) }.flatMap { tree.position(of: $0) }
    }

    /// The id at a row, or nil if there is no such row. O(log n).
    public func id(at position: Int) -> ID? {
        position >= 0 && position < count ? tree[position].place.id : nil
    }

    /// The ids at the rows of `range`, clamped to the rows that exist. O(log n + size of the
    /// range).
    public func ids(in range: Range<Int>) -> [ID] { tree.keys(in: range).map(\.place.id) }

    /// Up to `count` entities from a row on, for a screen. O(count × log n).
    public func page(at position: Int, count: Int) -> [Entity] {
        tree.page(at: position, count: count).compactMap { source[$0.place.id] }
    }

    private func key(
        of box: EntityBox<Entity>, in store: EntityStore<Entity>
    ) -> SortedKey<SortKey, ID>? {
        guard isIncluded?(box.entity) ?? true else { return nil }
        return SortedKey(
            value: sortKey(box.entity), isDescending: isDescending, place: store.key(of: box))
    }

    private mutating func rebuild() {
        let keys = source.order.keys(in: 0..<source.count).compactMap { place in
            source.table[place.id].flatMap { key(of: $0, in: source) }
        }
        tree = OrderedTree(ascending: keys.sorted())
    }
}

extension SortedEntityView: Equatable {
    public static func == (lhs: SortedEntityView, rhs: SortedEntityView) -> Bool {
        if lhs.source.revision == rhs.source.revision, lhs.tree.root === rhs.tree.root {
            return true
        }
        return lhs.count == rhs.count
            && zip(lhs.tree, rhs.tree).allSatisfy {
                lhs.source[$0.place.id] == rhs.source[$1.place.id]
            }
    }
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

/// A filtered index over an ``EntityStore``, maintained from its deltas and never rebuilt for one
/// edit.
///
/// It lives in the state beside the store, and the reducer updates it after every action that may
/// have changed the store:
///
/// ```swift
/// state.open = EntityView { !$0.isDone }
/// state.open.update(from: state.items)      // O(changes × log n)
/// let screen = state.open.ids(in: top..<top + 40)
/// ```
///
/// Rows are in the store's order. A view shows the content of its last update, even if the store
/// has changed since.
public struct EntityView<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    /// What an entity is found by.
    public typealias ID = Entity.ID
    /// Whether an entity is shown. It must depend on nothing but the entity and what it captured.
    public typealias Filter = @Sendable (Entity) -> Bool

    @usableFromInline var filter: Filter?
    /// The store at the last update; its revision is the cursor, and it holds the place of every
    /// row.
    @usableFromInline var source: EntityStore<Entity>
    @usableFromInline var tree: OrderedTree<OrderKey<ID>>

    /// The id of an entity that is shown although it does not match, as long as it exists: the
    /// selected row that an edit has just taken out of the filter. O(log n) to set.
    public var pinned: ID? {
        didSet {
            guard pinned != oldValue else { return }
            if let oldValue { refresh(oldValue) }
            if let pinned { refresh(pinned) }
        }
    }

    /// A view of everything, empty until its first update. It shares the store's own order and
    /// costs nothing.
    @inlinable public init() {
        source = EntityStore()
        tree = OrderedTree()
    }

    /// A view of the entities for which `isIncluded` is true, empty until its first update.
    @inlinable public init(isIncluded: @escaping Filter) {
        self.init()
        filter = isIncluded
    }

    /// Applies the changes of `store` since the last update. O(changes × log n), O(1) if there are
    /// none, and O(n) only when `store` does not continue the one of the last update.
    @inlinable public mutating func update(from store: EntityStore<Entity>) {
        guard store.revision != source.revision else { return }
        let deltas = filter == nil ? nil : store.deltas(since: source.revision)
        let old = source
        source = store
        guard let deltas else { return rebuild() }
        for delta in deltas {
            let oldKey = delta.beforeBox.map(old.key(of:))
            let newKey = delta.afterBox.flatMap { shows($0.entity) ? store.key(of: $0) : nil }
            if let oldKey, oldKey != newKey { tree.remove(oldKey) }
            if let newKey { tree.insert(newKey) }
        }
    }

    /// Replaces the filter, nil to show everything, and updates from `store`. O(n).
    @inlinable public mutating func setFilter(_ isIncluded: Filter?, in store: EntityStore<Entity>)
    {
        filter = isIncluded
        source = store
        rebuild()
    }

    /// Replaces the filter with a narrower one, such as one more letter in a search, and updates
    /// from `store`. It must accept only entities that the present one accepts. O(rows shown).
    @inlinable public mutating func narrowFilter(
        _ isIncluded: @escaping Filter, in store: EntityStore<Entity>
    ) {
        update(from: store)
        filter = isIncluded
        let keys = tree.filter { key in source[key.id].map(shows) ?? false }
        tree = OrderedTree(ascending: keys)
    }

    // MARK: Reading

    /// The number of rows. O(1).
    @inlinable public var count: Int { tree.count }
    /// Whether no row is shown. O(1).
    @inlinable public var isEmpty: Bool { tree.count == 0 }

    /// The id at a row, or nil if there is no such row. O(log n).
    @inlinable public func id(at row: Int) -> ID? {
        row >= 0 && row < count ? tree[row].id : nil
    }

    /// The row of an entity, or nil if it is not shown. O(log n).
    @inlinable public func row(of id: ID) -> Int? {
        source.table[id].flatMap { tree.position(of: source.key(of: $0)) }
    }

    /// Whether the entity is shown. O(log n).
    @inlinable public func contains(_ id: ID) -> Bool { row(of: id) != nil }

    /// The number of rows before the place of an entity of the store, shown or not; nil if the
    /// store has no such entity. The selection moves there when its row is no longer shown. O(log
    /// n).
    @inlinable public func insertionRow(of id: ID) -> Int? {
        source.table[id].map { tree.lowerBound(of: source.key(of: $0)) }
    }

    /// The ids at the rows of `range`, clamped to the rows that exist. O(log n + size of the
    /// range).
    @inlinable public func ids(in range: Range<Int>) -> [ID] { tree.keys(in: range).map(\.id) }

    /// All ids in order, lazily.
    @inlinable public var ids: EntityStore<Entity>.IDs { EntityStore.IDs(order: tree) }

    // MARK: Maintaining

    @inlinable func shows(_ entity: Entity) -> Bool {
        guard let filter else { return true }
        return filter(entity) || entity.id == pinned
    }

    @inlinable mutating func refresh(_ id: ID) {
        guard filter != nil, let box = source.table[id] else { return }
        let key = source.key(of: box)
        if shows(box.entity) { tree.insert(key) } else { tree.remove(key) }
    }

    @inlinable mutating func rebuild() {
        guard filter != nil else {
            tree = source.order
            return
        }
        tree = OrderedTree(
            ascending: source.order.filter { key in source[key.id].map(shows) ?? false })
    }
}

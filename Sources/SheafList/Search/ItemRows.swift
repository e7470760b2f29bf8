import Swidux

/// The rows of the item list: the items that the chosen tag, a query and `H` leave, in the order of
/// a sort, and the numbers beside the tags.
///
/// It lives in the state beside the items, and follows their changes in O(changes × log n +
/// chunks). A new definition is another matter: ``define(_:in:)`` finds its rows at once, in O(n),
/// and a ``RowsSearch`` on other threads, from whose result ``take(_:from:)`` makes the rows.
public struct ItemRows: Sendable {
    /// The definition that the rows were made with.
    package private(set) var definition = RowsDefinition()
    /// The numbers beside the tags: of the items that the search finds, or that
    /// ``RowsDefinition/countedApart`` does.
    public private(set) var counts = TagCounts()
    /// How often the rows have changed: while it is the same, so are they. O(1).
    public private(set) var changes = 0
    /// True if the rows are fuzzy matches, since nothing holds all of the query.
    public var isFuzzy: Bool { finder.isFuzzy }
    /// True if the rows no longer follow from ``definition``: there is an exact match beside fuzzy
    /// ones, or the last exact one is gone.
    package private(set) var isOutdated = false

    private var finder = RowFinder(RowsDefinition())
    private var list = ListRows([], layers: 1) { didSet { changes += 1 } }
    /// The rows, where they do not stand in manual order or by their matches.
    private var sorted: SortedRows? { didSet { changes += 1 } }
    /// The items at the last update.
    private var source = EntityStore<Item>()

    /// An item that is shown although it does not match, as long as it exists, and at the place
    /// that it had: the selected row that an edit has just taken out of the query.
    /// O(log n + chunks) to set.
    package var pinned: Item.ID? {
        didSet {
            guard pinned != oldValue else { return }
            if isHeld, let old = oldValue.flatMap({ source[$0] }) { release(old) }
            isHeld = false
            holdPinned(at: UInt8(finder.layerCount - 1))
        }
    }
    /// True if the pinned item is a row for that alone.
    private var isHeld = false

    /// The row that does not match, and is shown because it is pinned; nil if there is none.
    package var held: Item.ID? { isHeld ? pinned : nil }

    /// The number of rows that match. O(1).
    public var matchCount: Int { count - (isHeld ? 1 : 0) }

    /// The rows of no items.
    public init() {}

    /// This many changes are always put into sorted rows one by one.
    private static let fewChanges = 1_000

    /// True if all items are rows.
    package var showsEverything: Bool {
        definition.search.isEverything && definition.choice.isEverything
    }

    // MARK: Reading

    /// The number of rows. O(1).
    public var count: Int { list.count }

    /// The id at a row, or nil if there is no such row. O(log n).
    public func id(at row: Int) -> Item.ID? { item(at: row)?.value.id }

    private func item(at row: Int) -> SharedEntity<Item>? {
        if let sorted { sorted.item(at: row) } else { list.item(at: row) }
    }

    /// The ids at the rows of `range`, clamped to those that exist. O(rows of the range + chunks).
    public func ids(in range: Range<Int>) -> [Item.ID] {
        let range = range.clamped(to: 0..<count)
        guard sorted == nil else { return range.compactMap { id(at: $0) } }
        return list.items(in: range).map(\.value.id)
    }

    /// All ids in order, in a new array. O(n): never call it to answer a key.
    public var ids: [Item.ID] { ids(in: 0..<count) }

    /// The row of an item, or nil if it is not shown. O(log n).
    public func row(of id: Item.ID) -> Int? {
        guard let item = source[id], let row = list.row(of: item) else { return nil }
        return sorted.map { $0.row(of: item).row } ?? row
    }

    /// The number of rows before the place of an item, shown or not; nil if there is no such item,
    /// and 0 if it has no place among the best matches. O(log n).
    package func insertionRow(of id: Item.ID) -> Int? {
        guard let item = source[id] else { return nil }
        if let sorted { return sorted.row(of: item).row }
        guard let place = list.place(of: item) else { return 0 }
        let layer = list[layerAt: place]
        guard layer != ListRows.hidden || finder.layerCount == 1 else { return 0 }
        return list.rows(before: place, layer: layer == ListRows.hidden ? 0 : layer)
    }

    // MARK: Following the items

    /// Applies the changes of `items` since the last update. O(changes × log n + chunks), O(1) if
    /// there are none, and O(n log n) only when `items` does not continue those of the last update.
    public mutating func update(from items: EntityStore<Item>) {
        guard items.revision != source.revision else { return }
        let deltas = items.deltas(since: source.revision)
        let pinned = pinned
        // An item that no longer matches keeps its place.
        let place = pinned.flatMap { source[$0] }.flatMap(list.place)
        let layer = place.map { list[layerAt: $0] } ?? ListRows.hidden
        let chunk = place.map { list.leaves[$0.leaf].chunk }
        source = items
        guard let deltas else {
            let chunks = ItemChunk.divide(items.shared)
            apply(RowsSearch(definition: definition, chunks: chunks, source: items).run())
            self.pinned = pinned
            return
        }
        let sortsAnew = deltas.count > max(Self.fewChanges, items.count / 16)
        if !sortsAnew { for delta in deltas { forget(delta.before) } }
        for delta in deltas { count(delta.before, by: -1) }
        list.apply(Self.edits(deltas), finder.look)
        for delta in deltas { count(delta.after, by: 1) }
        if pinned.flatMap({ source[$0] }).flatMap(list.place)
            .map({ list.leaves[$0.leaf].chunk !== chunk }) ?? true
        {
            isHeld = false
        }
        holdPinned(at: layer == ListRows.hidden ? UInt8(finder.layerCount - 1) : layer)
        if sortsAnew { sort() } else { for delta in deltas { insert(delta.sharedAfter) } }
        if isFuzzy {
            for delta in deltas where !isOutdated {
                isOutdated = delta.after.map(finder.isFoundExactly) ?? false
            }
        } else if definition.fuzzy != nil {
            isOutdated = matchCount == 0
        }
    }

    private static func edits(_ deltas: [EntityDelta<Item>]) -> [ItemChunk.Edit] {
        var edits: [ItemChunk.Edit] = []
        for delta in deltas {
            let (old, new) = (delta.before?.position, delta.after?.position)
            if let old, old != new { edits.append(ItemChunk.Edit(position: old, item: nil)) }
            if let new { edits.append(ItemChunk.Edit(position: new, item: delta.sharedAfter)) }
        }
        return edits.sorted { $0.position < $1.position }
    }

    private mutating func count(_ item: Item?, by step: Int) {
        guard let item, let place = list.place(of: item),
            list.leaves[place.leaf].counted[place.index]
        else { return }
        counts.count(item, by: step)
    }

    /// Removes an item, as it was, from the sorted rows.
    private mutating func forget(_ item: Item?) {
        guard sorted != nil, let item, list.row(of: item) != nil else { return }
        sorted?.remove(item)
    }

    private mutating func insert(_ item: SharedEntity<Item>?) {
        guard let sorted, let item, list.row(of: item.value) != nil,
            !sorted.row(of: item.value).isPresent
        else { return }
        self.sorted?.insert(item)
    }

    private mutating func sort() {
        guard let order = finder.order else { return }
        let sort = RowsSort(order)
        sorted = SortedRows(sort.merged([sort.sorted(list.leaves[...])]), in: order)
    }

    /// Makes the pinned item a row at the place that it has in a layer, if it is none.
    private mutating func holdPinned(at layer: UInt8) {
        guard let item = pinned.flatMap({ source.shared($0) }),
            let place = list.place(of: item.value)
        else { return }
        guard list[layerAt: place] == ListRows.hidden else { return }
        isHeld = true
        list[layerAt: place] = layer
        insert(item)
    }

    /// Has an item be a row only if it matches.
    private mutating func release(_ item: Item) {
        guard let place = list.place(of: item) else { return }
        list.look(again: place, finder.look)
        if list[layerAt: place] == ListRows.hidden { sorted?.remove(item) }
        if !isFuzzy, definition.fuzzy != nil, matchCount == 0 { isOutdated = true }
    }

    // MARK: Defining

    /// Finds the rows of `definition` at once. O(n).
    package mutating func define(_ definition: RowsDefinition, in items: EntityStore<Item>) {
        update(from: items)
        apply(searching(definition).run())
    }

    /// The bytes of the notes of all items. O(n): for short lists.
    package var noteBytes: Int {
        list.leaves.reduce(0) { sum, leaf in
            leaf.chunk.items.reduce(sum) { $0 + $1.value.texts.noteCount }
        }
    }

    /// The search for the rows of `definition`.
    package func searching(_ definition: RowsDefinition) -> RowsSearch {
        RowsSearch(definition: definition, chunks: list.leaves.map(\.chunk), source: source)
    }

    /// Takes over a search result, then applies the changes made since the search began.
    package mutating func take(_ result: RowsSearch.Result, from items: EntityStore<Item>) {
        apply(result)
        update(from: items)
    }

    private mutating func apply(_ result: RowsSearch.Result) {
        definition = result.definition
        finder = result.finder
        list = result.list
        sorted = result.sorted
        counts = result.counts
        source = result.source
        isHeld = false
        isOutdated = false
        pinned = nil
    }
}

extension ItemRows: CustomReflectable, CustomDebugStringConvertible {
    /// Empty, because rows are derived state.
    public var customMirror: Mirror { Mirror(self, children: []) }
    public var debugDescription: String { "rows" }
}

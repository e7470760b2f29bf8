import Swidux

/// The rows of the item list and the numbers beside the tags. The chosen tag, a query and `H`
/// select the rows, and a sort orders them.
///
/// The state holds the rows beside the items. ``update(from:)`` updates them chunk by chunk. A new
/// definition requires a search: ``define(_:in:)`` finds the rows at once, in O(n), or a
/// ``RowsSearch`` finds them on other threads, and ``adopt(_:from:)`` adopts its result.
package struct ItemRows: Sendable {
    /// The definition that the rows satisfy.
    package var definition: RowsDefinition { search.definition }
    /// The numbers beside the tags: they count the items of the search, or those of
    /// ``RowsDefinition/countedSearch``.
    package private(set) var counts: TagCounts
    /// The number of changes of the rows. While this number stays the same, so do the rows. O(1).
    package private(set) var changes = 0
    /// True if the rows are fuzzy matches, because no item matches the query exactly.
    package var isFuzzy: Bool { search.isFuzzy }
    /// True if the rows must be searched for again: many items arrived at once, an exact match
    /// appeared beside fuzzy ones, or the last exact match disappeared.
    package private(set) var isOutdated = false

    private var search: RowsSearch
    private var list: ListRows { didSet { changes += 1 } }
    /// The rows in the order of a sort, or `nil` in manual order and in the order of best matches.
    private var sorted: SortedRows? { didSet { changes += 1 } }
    /// The items at the last update.
    private var source = EntityStore<Item>()

    /// An item that remains a row at its previous place although it does not match, as long as it
    /// exists. It is the selected item after an edit that stops it from matching. O(log n + chunks)
    /// to set.
    package var pinned: Item.ID? {
        didSet {
            guard pinned != oldValue else { return }
            if isHeld, let old = oldValue.flatMap({ source.shared($0) }) { release(old) }
            isHeld = false
            holdPinned(at: search.layerCount - 1)
        }
    }
    /// True if the pinned item is a row only because it is pinned.
    private var isHeld = false

    /// The row that does not match but is pinned; `nil` if there is none.
    package var held: Item.ID? { isHeld ? pinned : nil }

    /// The number of rows that match. O(1).
    package var matchCount: Int { count - (isHeld ? 1 : 0) }

    /// Creates rows without items.
    package init() { self.init(ItemSequence(), [], RowsSearch(RowsDefinition()), sorted: nil) }

    /// Creates the rows that a search found.
    ///
    /// - Parameters:
    ///   - leaves: A leaf for each chunk of `items`.
    ///   - sorted: The rows in the search's order, in parts, or `nil` if the search has no order.
    init(
        _ items: ItemSequence, _ leaves: [ListRows.Leaf], _ search: RowsSearch,
        sorted: [RowOrder.Part]?
    ) {
        self.search = search
        counts = TagCounts(leaves)
        list = ListRows(items, leaves, layers: search.layerCount)
        self.sorted = search.order.flatMap { order in sorted.map { SortedRows($0, in: order) } }
    }

    /// The number of changes up to which sorted rows are always updated one by one.
    private static let fewChanges = 1_000
    /// The number of new chunks up to which all are searched at once. If there are more, only those
    /// that contain rows are.
    private static let fewChunks = 128

    /// True if all items are rows.
    package var showsEverything: Bool {
        definition.search.isEverything && definition.choice.isEverything
    }

    // MARK: Reading

    /// The number of rows. O(1).
    package var count: Int { list.count }

    /// Returns the id at a row, or `nil` if there is no such row. O(log n).
    package func id(at row: Int) -> Item.ID? { ids(in: row..<row + 1).first }

    /// Returns the ids at the rows of `range`, clamped to those that exist. O(rows of the range +
    /// chunks).
    package func ids(in range: Range<Int>) -> [Item.ID] { items(in: range).map(\.value.id) }

    private func items(in range: Range<Int>) -> [SharedEntity<Item>] {
        let range = range.clamped(to: 0..<count)
        return sorted?.items(in: range) ?? list.items(in: range)
    }

    /// All items in order. O(n).
    var items: [SharedEntity<Item>] { items(in: 0..<count) }

    /// All ids in order, in a new array. O(n): never use it to answer a key.
    package var ids: [Item.ID] { ids(in: 0..<count) }

    /// Returns the row of an item, or `nil` if it is not shown. O(log n).
    package func row(of id: Item.ID) -> Int? {
        guard let item = source.shared(id), let row = list.row(of: item.value) else { return nil }
        return sorted.map { $0.row(of: item) } ?? row
    }

    /// Returns the number of rows before the place of an item, shown or not. Returns `nil` if there
    /// is no such item, and 0 if it has no place among the best matches. O(log n).
    package func insertionRow(of id: Item.ID) -> Int? {
        guard let item = source.shared(id) else { return nil }
        if let sorted { return sorted.row(of: item) }
        guard let place = list.items.place(of: item.value) else { return 0 }
        let layer = list.layer(of: place) ?? (search.layerCount == 1 ? 0 : nil)
        return layer.map { list.rows(before: place, layer: $0) } ?? 0
    }

    // MARK: Following the items

    /// Updates the rows from the items: searches the chunks that have changed since the last
    /// update. If there are too many, it sets ``isOutdated`` to request a search. O(chunks +
    /// changed chunks), O(1) if no item has changed.
    package mutating func update(from items: EntityStore<Item>) {
        guard items.revision != source.revision else { return }
        let changes = items.shared.changedChunks(since: list.items)
        let place = pinned.flatMap { source[$0] }.flatMap(list.items.place)
        // An item that no longer matches keeps its place.
        let layer = place.flatMap { list.layer(of: $0) } ?? search.layerCount - 1
        let chunk = place.map { list.leaves[$0.chunk].chunk }
        let seen = changes.new.count > Self.fewChunks ? chunksWithRows(of: items) : nil
        if seen != nil { isOutdated = true }
        source = items
        let search = search
        let (gone, new) = list.follow(items.shared, changes) { chunk in
            seen?.contains(ObjectIdentifier(chunk)) ?? true
                ? search.leaf(for: chunk) : search.unseenLeaf(for: chunk)
        }
        for leaf in gone { counts.count(leaf.counted, of: leaf.chunk, by: -1) }
        for leaf in new { counts.count(leaf.counted, of: leaf.chunk, by: 1) }
        if sorted != nil { sort(without: gone.flatMap(\.rows), with: new.flatMap(\.rows)) }
        let now = pinned.flatMap { source[$0] }.flatMap(list.items.place)
        if now.map({ list.leaves[$0.chunk].chunk !== chunk }) ?? true { isHeld = false }
        holdPinned(at: layer)
        let isOtherwiseFuzzy =
            isFuzzy ? new.contains { search.hasExactMatch($0.chunk) } : lacksFuzzy
        if isOtherwiseFuzzy { isOutdated = true }
    }

    /// Returns the chunks of `items` that contain the current rows, or none if there are many rows.
    private func chunksWithRows(of items: EntityStore<Item>) -> Set<ObjectIdentifier> {
        let ids = count <= Self.fewChanges ? ids : []
        return Set(
            ids.compactMap { items[$0] }.compactMap(items.shared.place).map {
                ObjectIdentifier(items.shared.chunks[$0.chunk])
            })
    }

    /// Replaces items among the sorted rows. If there are many, it sorts all rows again.
    private mutating func sort(without old: [SharedEntity<Item>], with new: [SharedEntity<Item>]) {
        let (before, after) = (Set(old.map(\.identity)), Set(new.map(\.identity)))
        let gone = old.filter { !after.contains($0.identity) }
        let came = new.filter { !before.contains($0.identity) }
        guard gone.count + came.count <= max(Self.fewChanges, source.count / 16) else {
            return sort()
        }
        for item in gone { sorted?.remove(item) }
        for item in came { sorted?.insert(item) }
    }

    private mutating func sort() {
        sorted = search.order.map { SortedRows([$0.sorted(list.leaves[...])], in: $0) }
    }

    /// Makes the pinned item a row of a layer, at its own place, if it is not a row.
    private mutating func holdPinned(at layer: Int) {
        guard let item = pinned.flatMap({ source.shared($0) }),
            let place = list.items.place(of: item.value),
            list.layer(of: place) == nil
        else { return }
        isHeld = true
        list.insert(place, in: layer)
        sorted?.insert(item)
    }

    /// Removes the row of an item, unless the item matches.
    private mutating func release(_ item: SharedEntity<Item>) {
        guard let place = list.items.place(of: item.value) else { return }
        list.update(place, search.leaf(for:))
        if list.layer(of: place) == nil { sorted?.remove(item) }
        if lacksFuzzy { isOutdated = true }
    }

    /// True if no item matches and there may be fuzzy matches.
    private var lacksFuzzy: Bool { !isFuzzy && definition.fuzzy != nil && matchCount == 0 }

    // MARK: Defining

    /// Finds the rows of `definition` at once. O(n).
    package mutating func define(_ definition: RowsDefinition, in items: EntityStore<Item>) {
        adopt(RowsSearch(definition).run(in: items.shared), from: items)
    }

    /// The number of bytes in the notes of all items. O(n): for short lists.
    package var noteBytes: Int {
        list.items.reduce(0) { $0 + $1.value.texts.noteCount }
    }

    /// Adopts the rows that a search found, and applies the changes since it began.
    package mutating func adopt(_ found: ItemRows, from items: EntityStore<Item>) {
        let changes = changes + 1
        self = found
        self.changes = changes
        update(from: items)
    }
}

extension ItemRows: CustomReflectable, CustomDebugStringConvertible {
    /// Empty, because rows are derived state.
    package var customMirror: Mirror { Mirror(self, children: []) }
    package var debugDescription: String { "rows" }
}

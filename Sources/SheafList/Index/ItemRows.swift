import Swidux

/// The rows of the item list: what the chosen tag, a query and `H` leave of the items, in the order
/// of a sort, and the numbers beside the tags.
///
/// It lives in the state beside the items, and follows their changes in O(changes × log n). What
/// rows there are to be is another matter: ``define(_:in:)`` finds them at once, in O(n), and a
/// ``RowsSearch`` on other threads, from whose result ``take(_:from:)`` makes the rows.
public struct ItemRows: Sendable {
    /// What the rows were made with.
    package private(set) var definition = RowsDefinition()
    /// How many of the items that ``RowsDefinition/counted`` finds each tag has.
    public private(set) var counts = TagCounts()
    private var index = ItemIndex() { didSet { changes += 1 } }
    /// The rows, where they do not stand in manual order.
    private var ordered: OrderedRows? { didSet { changes += 1 } }
    /// How often the rows have changed: while it is the same, so are they. O(1).
    public private(set) var changes = 0
    private var sorted: SortedPlaces?
    /// The items at the last update.
    private var source = EntityStore<Item>()
    private var search = ItemMatcher(.everything)
    private var choice = ItemMatcher(.everything)
    /// What tells the items that are counted, where those are others than the search finds.
    private var counted: ItemMatcher?
    /// What these rows were found by, after what finds more of the same items: a letter less shows
    /// that again.
    private var found: [RowsSearch.Result] = []

    /// An item that is shown although it does not match, as long as it exists, and at the place
    /// that it had: the selected row that an edit has just taken out of the query. O(log n) to set.
    package var pinned: Item.ID? {
        didSet {
            guard pinned != oldValue, !showsEverything else { return }
            let points = pinnedPoints
            pinnedPoints = nil
            if isHeld, let old = oldValue.flatMap({ source[$0] }) { unpin(old, points) }
            isHeld = false
            if let new = pinned.flatMap({ source[$0] }) { pin(new) }
        }
    }
    /// Whether the pinned item may be shown for that alone. Most often it matches, and a step of
    /// the selection changes no row.
    private var isHeld = false
    /// With how many points the pinned item stands among the best matches.
    private var pinnedPoints: Int32?

    /// The rows of no items.
    public init() {}

    /// So many rows of earlier results are kept, where they do not stand in manual order.
    private static let mostKept = 1 << 20
    /// So many changes are always put into the rows one by one.
    private static let fewChanges = 1_000

    /// Whether all items are shown, whatever they are like.
    package var showsEverything: Bool {
        definition.search.isEverything && definition.choice.isEverything
    }

    // MARK: Reading

    /// The number of rows. O(1).
    public var count: Int { ordered?.count ?? index.leaves.shown }

    /// The id at a row, or nil if there is no such row. O(log n).
    public func id(at row: Int) -> Item.ID? { item(at: row)?.value.id }

    /// The ids at the rows of `range`, clamped to those that exist. O(rows of the range + log n).
    public func ids(in range: Range<Int>) -> [Item.ID] {
        let range = range.clamped(to: 0..<count)
        guard ordered == nil, range.count > 1 else { return range.compactMap { id(at: $0) } }
        return index.ids(in: range)
    }

    /// All ids in order, in a new array. O(n): never call it to answer a key.
    public var ids: [Item.ID] { ids(in: 0..<count) }

    /// The row of an item, or nil if it is not shown. O(log n).
    public func row(of id: Item.ID) -> Int? {
        guard let item = source[id] else { return nil }
        if let ordered {
            guard let points = points(of: item) else { return nil }
            let found = ordered.row(of: item, points: points)
            return found.isPresent ? found.row : nil
        }
        guard let (place, row, isPresent) = index.position(of: item), isPresent else { return nil }
        let bits = index.leaves[place].bits
        return bits[row] ? index.leaves.shown(before: place) + bits.count(before: row) : nil
    }

    /// The number of rows before the place of an item, shown or not; nil if there is no such item,
    /// and 0 if it has no place among the best matches. O(log n).
    package func insertionRow(of id: Item.ID) -> Int? {
        guard let item = source[id] else { return nil }
        if let ordered {
            return points(of: item).map { ordered.row(of: item, points: $0).row } ?? 0
        }
        guard let (place, row, _) = index.position(of: item) else { return 0 }
        return index.leaves.shown(before: place) + index.leaves[place].bits.count(before: row)
    }

    private func item(at row: Int) -> SharedEntity<Item>? {
        if let ordered { return ordered.item(at: row) }
        guard let (place, rest) = index.leaves.place(ofRow: row) else { return nil }
        let leaf = index.leaves[place]
        return leaf.bits.row(at: rest).map { leaf.chunk.columns.items[$0] }
    }

    /// With how many points an item stands among the rows, or would; nil if it has no place there.
    /// A sort has a place for every item.
    private func points(of item: Item) -> Int32? {
        guard definition.isRanked else { return 0 }
        if item.id == pinned, let pinnedPoints { return pinnedPoints }
        var matcher = search
        var choice = choice
        guard choice.includes(item) else { return nil }
        return matcher.score(of: item).map { Int32(clamping: $0) }
    }

    // MARK: Following the items

    /// Applies the changes of `items` since the last update. O(changes × log n), O(1) if there are
    /// none, and O(n log n) only when `items` does not continue those of the last update.
    public mutating func update(from items: EntityStore<Item>) {
        guard items.revision != source.revision else { return }
        let deltas = items.deltas(since: source.revision)
        source = items
        sorted = nil
        found = []
        guard let deltas else {
            index = ItemIndex(items.shared)
            var search = searching(definition)
            search.counts = nil
            return apply(search.run())
        }
        // Finding a place for each would take longer than sorting anew, and what came later takes
        // ten times the memory of a row.
        let changes = deltas.count + (ordered?.addedCount ?? 0)
        let sortsAnew = ordered != nil && changes > max(Self.fewChanges, source.count / 16)
        if sortsAnew { ordered = nil }
        var added: [(item: SharedEntity<Item>, isShown: Bool)] = []
        var changed: [ItemIndex.Change] = []
        for delta in deltas {
            let (old, new) = (delta.before, delta.sharedAfter)
            let wasFound = old.map { forget($0) } ?? false
            let found = new.map { find($0) } ?? (isFound: false, isShown: false)
            if counted == nil {
                counts.count(found.isFound ? new?.value : nil, insteadOf: wasFound ? old : nil)
            } else {
                counts.count(
                    new.flatMap { isCounted($0.value) ? $0.value : nil },
                    insteadOf: old.flatMap { isCounted($0) ? $0 : nil })
            }
            if let old {
                changed.append((old, new.map { ($0, found.isShown) }))
            } else if let new {
                added.append((new, found.isShown))
            }
        }
        index.update(changed)
        added.sort {
            ItemOrder.manual.precedesManually($0.item.value, $1.item.value) ?? false
        }
        index.insert(added)
        if sortsAnew {
            let pinned = pinned
            apply(searching(definition).run())
            self.pinned = pinned
        }
    }

    /// Takes what an item was out of the best matches, and returns whether the search found it.
    private mutating func forget(_ item: Item) -> Bool {
        let points = score(item)
        guard ordered != nil else { return points != nil }
        if item.id == pinned, let pinnedPoints {
            ordered?.remove(item, points: pinnedPoints)
        } else if let points, isChosen(item) {
            ordered?.remove(item, points: points)
        }
        return points != nil
    }

    /// Puts an item into the best matches, and returns whether the search finds it and whether it
    /// is shown.
    private mutating func find(
        _ item: SharedEntity<Item>
    ) -> (isFound: Bool, isShown: Bool) {
        let value = item.value
        let points = score(value)
        let isPinned = value.id == pinned
        if isPinned { isHeld = true }
        let isShown = isPinned || points != nil && isChosen(value)
        if isShown, ordered != nil {
            // What matches no more keeps the place that it had.
            let place = points ?? pinnedPoints ?? 0
            if isPinned { pinnedPoints = place }
            ordered?.insert(item, points: place)
        }
        return (points != nil, isShown)
    }

    /// How well the search finds an item, whatever is chosen; nil if it does not.
    private mutating func score(_ item: Item) -> Int32? {
        guard !definition.search.isEverything else { return 0 }
        return search.score(of: item).map { definition.isRanked ? Int32(clamping: $0) : 0 }
    }

    private mutating func isCounted(_ item: Item) -> Bool { counted?.includes(item) ?? true }

    private mutating func isChosen(_ item: Item) -> Bool {
        definition.choice.isEverything || choice.includes(item)
    }

    private mutating func pin(_ item: Item) {
        if ordered == nil, isChosen(item), score(item) != nil { return }
        isHeld = true
        index.show(item, true)
        guard ordered != nil else { return }
        pinnedPoints = nil
        let points = points(of: item) ?? 0
        pinnedPoints = points
        if let shared = source.shared(item.id) { ordered?.insert(shared, points: points) }
    }

    private mutating func unpin(_ item: Item, _ points: Int32?) {
        let found = isChosen(item) ? score(item) : nil
        index.show(item, found != nil)
        guard ordered != nil, let points else { return }
        ordered?.remove(item, points: points)
        if let found, let shared = source.shared(item.id) {
            ordered?.insert(shared, points: found)
        }
    }

    // MARK: Defining

    /// Makes the rows what `definition` says, at once. O(n).
    package mutating func define(_ definition: RowsDefinition, in items: EntityStore<Item>) {
        update(from: items)
        apply(searching(definition).run())
    }

    /// How many bytes the notes of all items have. O(n): for short lists.
    package var noteBytes: Int {
        index.leaves.chunks.reduce(0) { $0 + $1.chunk.noteBytes }
    }

    /// The search that finds what `definition` says.
    ///
    /// - Parameters:
    ///   - center: the item whose neighbours are wanted before all are sorted.
    ///   - tellsBest: whether the best matches are wanted before all are found.
    package func searching(
        _ definition: RowsDefinition, around center: Item.ID? = nil, tellsBest: Bool = false
    ) -> RowsSearch {
        RowsSearch(
            definition: definition, index: index,
            narrowed: definition.narrows(self.definition), source: source,
            sorted: sorted, earlier: partlyFound(for: definition),
            center: center.flatMap { source[$0] }, tellsBest: tellsBest,
            counts: definition.counted == self.definition.counted ? counts : nil)
    }

    /// What was found for some of the terms of `definition`, unless it has so many more rows than
    /// are looked through that going through them takes longer.
    private func partlyFound(for definition: RowsDefinition) -> RowsSearch.Earlier? {
        for result in found.reversed() {
            guard let rows = result.ordered, let rest = definition.beyond(result.definition) else {
                continue
            }
            let isMuch = definition.narrows(self.definition) && rows.count / 8 > count
            return isMuch ? nil : RowsSearch.Earlier(rows: rows, rest: rest)
        }
        return nil
    }

    /// What was found for `definition` before, if these rows are some of it and nothing has
    /// changed.
    package func earlier(_ definition: RowsDefinition) -> RowsSearch.Result? {
        found.last { $0.definition == definition }
    }

    /// Makes the rows what a search found, and of what has changed since what it would have found.
    package mutating func take(_ result: RowsSearch.Result, from items: EntityStore<Item>) {
        apply(result)
        update(from: items)
    }

    private mutating func apply(_ result: RowsSearch.Result) {
        definition = result.definition
        index = result.index
        ordered = result.ordered
        sorted = result.sorted
        counts = result.counts
        source = result.source
        search = ItemMatcher(definition.search)
        choice = ItemMatcher(definition.choice)
        counted = definition.countedApart.map { ItemMatcher($0) }
        pinnedPoints = nil
        isHeld = false
        pinned = nil
        keep(result)
    }

    private mutating func keep(_ result: RowsSearch.Result) {
        while let last = found.last,
            last.source.revision != result.source.revision
                || last.definition == result.definition
                || !result.definition.narrows(last.definition)
        { found.removeLast() }
        var count = 0
        let first = found.lastIndex { earlier in
            count += earlier.ordered?.count ?? 0
            return count > Self.mostKept
        }
        if let first { found.removeSubrange(...first) }
        found.append(result)
    }
}

extension ItemRows: CustomReflectable, CustomDebugStringConvertible {
    /// Nothing: rows follow from the items and what is asked for.
    public var customMirror: Mirror { Mirror(self, children: []) }
    public var debugDescription: String { "rows" }
}

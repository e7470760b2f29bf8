import SheafList
import Swidux

/// The items that commands act on together, instead of on the current one. They are found by id, so
/// that they stay marked whatever is shown.
public struct MarkedItems: Sendable {
    private(set) var ids: Set<Item.ID> = [] { didSet { changes += 1 } }
    /// How often marks were set and taken: while it is the same and no range is open, so are they.
    public private(set) var changes = 0
    /// Those of them that no row shows; nil while that is found out.
    private(set) var hidden: Set<Item.ID>? = []
    /// The row at which `V` began: the rows from there to the selection will be marked.
    var range: RangeStart?

    /// The rows that are being marked or inverted, where they are many.
    private var filling: MarkFill? { didSet { changes += 1 } }

    /// What ``hidden`` was found in.
    private var items: Revision?
    private var definition: RowsDefinition?
    private var selection: Item.ID?
    /// The number of the last search for hidden items, or of many rows to mark.
    private var searches = 0

    /// Where a range begins: an item, and the row it was last seen at, which takes over when the
    /// item goes.
    struct RangeStart: Hashable, Sendable {
        var item: Item.ID
        var row: Int
    }

    /// Up to so many items are marked at once, which takes some milliseconds, and more of them on
    /// another thread.
    static let mostMarkedAtOnce = AppEnvironment.mostOfShortList
    /// Up to so many marked items are looked for among the rows at once, which takes a millisecond
    /// at most; more of them on another thread.
    static let mostCountedAtOnce = 1_000

    public var isEmpty: Bool { ids.isEmpty && range == nil && filling == nil }
    /// How many are marked, without an open range and without rows that are being marked. O(1).
    public var count: Int { ids.count }
    /// How many of them are not among the rows, or nil while that is not known. O(1).
    public var hiddenCount: Int? { filling == nil ? hidden?.count : nil }
    /// How many rows are being marked, or 0.
    public var fillingCount: Int { filling?.range.count ?? 0 }

    /// Whether an item is marked, without an open range. O(1), and O(log n) while rows are being
    /// marked.
    public func contains(_ id: Item.ID) -> Bool {
        guard let filling, let row = filling.rows.row(of: id), filling.range.contains(row) else {
            return ids.contains(id)
        }
        return filling.inverts ? !ids.contains(id) : true
    }

    /// True if all marked items, and both ends of the open range, are gone from `items`. O(marked
    /// items), and O(1) if the first one is there.
    func areGone(from items: EntityStore<Item>, selection: Item.ID?) -> Bool {
        guard !isEmpty, filling == nil else { return false }
        let ends = range.map { [$0.item, selection ?? $0.item] } ?? []
        return !ids.contains(where: items.contains) && !ends.contains(where: items.contains)
    }

    // Only what is shown is marked and unmarked, so none of these makes an item hidden.

    mutating func toggle(_ shown: some Sequence<Item.ID>) {
        for id in shown where ids.remove(id) == nil { ids.insert(id) }
    }

    mutating func insert(_ shown: [Item.ID]) { ids.formUnion(shown) }

    /// Marks the rows of `range`, or has those that are marked unmarked and the others marked: at
    /// once if they are few, else by the returned fill, which ``take(_:)`` is given the result of.
    mutating func fill(_ range: Range<Int>, of rows: ItemRows, inverts: Bool) -> MarkFill? {
        let range = range.clamped(to: 0..<rows.count)
        guard range.count > Self.mostMarkedAtOnce else {
            let shown = rows.matches(in: range)
            if inverts { toggle(shown) } else { insert(shown) }
            return nil
        }
        searches += 1
        filling = MarkFill(
            number: searches, ids: ids, rows: rows, range: range, inverts: inverts)
        return filling
    }

    /// Has the rows marked at once that are being marked, for whom cannot wait. O(rows).
    mutating func finishFilling() {
        if let filling { take(filling.filled) }
    }

    mutating func take(_ filled: FilledMarks) {
        guard filling?.number == filled.fill else { return }
        filling = nil
        ids = filled.ids
    }

    mutating func removeAll() {
        let searches = searches
        self = MarkedItems()
        self.searches = searches + 1
    }

    // MARK: Following the list

    /// Forgets items that are gone, and follows what of the marked ones is shown. O(changes × log
    /// n); where the rows are others, the marked ones have to be looked for, which is what the
    /// returned search is for if they are many.
    mutating func follow(
        _ items: EntityStore<Item>, _ rows: ItemRows, selection: Item.ID?
    ) -> HiddenSearch? {
        // What became of the items meanwhile is caught up with at the end of it.
        guard filling == nil else { return nil }
        defer {
            self.items = items.revision
            definition = rows.definition
            self.selection = selection
        }
        guard !ids.isEmpty else {
            hidden = []
            return nil
        }
        let isCurrent = self.items == items.revision
        guard !isCurrent || definition != rows.definition || self.selection != selection else {
            return nil
        }
        // What is selected is shown, whether it matches or not.
        var doubtful = [self.selection, selection].compactMap(\.self).filter(ids.contains)
        let deltas = self.items.flatMap(items.deltas)
        for delta in deltas ?? [] where ids.contains(delta.id) {
            if delta.after == nil { forget(delta.id) } else { doubtful.append(delta.id) }
        }
        if deltas == nil { ids = ids.filter(items.contains) }
        if rows.showsEverything {
            hidden = []
        } else if deltas == nil || definition != rows.definition || hidden == nil {
            return find(rows)
        } else {
            for id in doubtful where ids.contains(id) {
                if rows.row(of: id) == nil { hidden?.insert(id) } else { hidden?.remove(id) }
            }
        }
        return nil
    }

    private mutating func forget(_ id: Item.ID) {
        ids.remove(id)
        hidden?.remove(id)
    }

    private mutating func find(_ rows: ItemRows) -> HiddenSearch? {
        guard ids.count > Self.mostCountedAtOnce else {
            hidden = ids.filter { rows.row(of: $0) == nil }
            return nil
        }
        hidden = nil
        searches += 1
        return HiddenSearch(number: searches, ids: ids, rows: rows)
    }

    /// Takes what the newest search found. What was marked and unmarked since was shown.
    mutating func take(_ found: HiddenItems) {
        if hidden == nil, found.search == searches { hidden = found.ids }
    }
}

extension ItemRows {
    /// The ids at the rows of `range`; of all rows only those that match.
    fileprivate func matches(in range: Range<Int>) -> [Item.ID] {
        let ids = ids(in: range)
        guard let held, range.count == count else { return ids }
        return ids.filter { $0 != held }
    }
}

/// Marks many rows, on any thread.
struct MarkFill: Sendable {
    let number: Int
    fileprivate let ids: Set<Item.ID>
    fileprivate let rows: ItemRows
    fileprivate let range: Range<Int>
    fileprivate let inverts: Bool

    fileprivate init(
        number: Int, ids: Set<Item.ID>, rows: ItemRows, range: Range<Int>, inverts: Bool
    ) {
        self.number = number
        self.ids = ids
        self.rows = rows
        self.range = range
        self.inverts = inverts
    }

    /// O(marked items + rows of the range).
    @concurrent func run() async -> FilledMarks { filled }

    fileprivate var filled: FilledMarks {
        let shown = Set(rows.matches(in: range))
        return FilledMarks(
            fill: number, ids: inverts ? ids.symmetricDifference(shown) : ids.union(shown))
    }
}

/// The marked items after many rows were marked.
public struct FilledMarks: Hashable, Sendable {
    let fill: Int
    let ids: Set<Item.ID>
}

/// Finds which marked items no row shows, on any thread.
struct HiddenSearch: Sendable {
    let number: Int
    let ids: Set<Item.ID>
    let rows: ItemRows

    /// O(marked items + rows).
    @concurrent func run() async -> HiddenItems {
        HiddenItems(search: number, ids: ids.subtracting(rows.ids))
    }
}

/// What a search for hidden items found.
public struct HiddenItems: Hashable, Sendable {
    let search: Int
    let ids: Set<Item.ID>
}

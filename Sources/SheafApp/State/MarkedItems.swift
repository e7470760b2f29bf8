import SheafList
import Swidux

/// The items that commands act on together, instead of on the current one. They are identified by
/// id, so they stay marked when other rows are shown.
package struct MarkedItems: Sendable {
    private(set) var ids: Set<Item.ID> = [] { didSet { changes += 1 } }
    /// A counter of changes to the marks. If it is unchanged and no range is open, the marks are
    /// unchanged.
    package private(set) var changes = 0
    /// The marked items that no row shows; nil while a search for them runs.
    private(set) var hidden: Set<Item.ID>? = []
    /// The item at which the user pressed `V`, and its last known row, which is used if the item is
    /// deleted. The rows from there to the selection will be marked.
    var range: (item: Item.ID, row: Int)?

    /// The marking or inverting of many rows that is in progress.
    private var filling: MarkFill? { didSet { changes += 1 } }

    /// The revision of the items for which ``hidden`` was found.
    private var items: Revision?
    private var definition: RowsDefinition?
    private var selection: Item.ID?
    /// The number of the last search for hidden items, or of the last marking of many rows.
    private var searches = 0

    /// The number of items above which marking runs on another thread. Marking this many takes some
    /// milliseconds.
    static let maxMarkedAtOnce = AppEnvironment.maxOfShortList
    /// The number of marked items above which another thread looks them up among the rows. Looking
    /// up this many takes at most a millisecond.
    static let maxCountedAtOnce = 1_000

    package var isEmpty: Bool { ids.isEmpty && range == nil && filling == nil }
    /// The number of marked items, without an open range and without rows that are being marked.
    /// O(1).
    package var count: Int { ids.count }
    /// The number of marked items that are not among the rows, or nil while it is unknown. O(1).
    package var hiddenCount: Int? { filling == nil ? hidden?.count : nil }
    /// The number of rows that are being marked, or 0.
    package var fillingCount: Int { filling?.range.count ?? 0 }

    /// Returns true if an item is marked, without an open range. O(1), or O(log n) while rows are
    /// being marked.
    package func contains(_ id: Item.ID) -> Bool {
        guard let filling, let row = filling.rows.row(of: id), filling.range.contains(row) else {
            return ids.contains(id)
        }
        return filling.inverts ? !ids.contains(id) : true
    }

    /// Returns true if all marked items, and both ends of the open range, are deleted from `items`.
    /// O(marked items), or O(1) if the first one exists.
    func areGone(from items: EntityStore<Item>, selection: Item.ID?) -> Bool {
        guard !isEmpty, filling == nil else { return false }
        let ends = range.map { [$0.item, selection ?? $0.item] } ?? []
        return !ids.contains(where: items.contains) && !ends.contains(where: items.contains)
    }

    // These functions mark and unmark only visible items, so ``hidden`` stays correct.

    mutating func toggle(_ shown: some Sequence<Item.ID>) {
        for id in shown where ids.remove(id) == nil { ids.insert(id) }
    }

    mutating func insert(_ shown: [Item.ID]) { ids.formUnion(shown) }

    /// Marks the rows of `range`, or inverts their marks. If there are many rows, returns a fill
    /// that does this on another thread. The caller passes its result to ``adopt(_:fill:)``.
    mutating func fill(_ range: Range<Int>, of rows: ItemRows, inverts: Bool) -> MarkFill? {
        let range = range.clamped(to: 0..<rows.count)
        guard range.count > Self.maxMarkedAtOnce else {
            let shown = rows.matches(in: range)
            if inverts { toggle(shown) } else { insert(shown) }
            return nil
        }
        searches += 1
        filling = MarkFill(
            number: searches, ids: ids, rows: rows, range: range, inverts: inverts)
        return filling
    }

    /// Completes a pending marking of rows at once, for callers that cannot wait. O(rows).
    mutating func finishFilling() {
        if let filling { adopt(filling.filled, fill: filling.number) }
    }

    /// Adopts the result of the newest fill.
    mutating func adopt(_ marked: Set<Item.ID>, fill number: Int) {
        guard filling?.number == number else { return }
        filling = nil
        ids = marked
    }

    mutating func removeAll() {
        let searches = searches
        self = MarkedItems()
        self.searches = searches + 1
    }

    // MARK: Following the list

    /// Removes deleted items from the marks, and updates ``hidden``. O(changes × log n). If the
    /// rows were redefined and the marked items are many, the returned effect looks them up.
    mutating func follow(
        _ items: EntityStore<Item>, _ rows: ItemRows, selection: Item.ID?
    ) -> Effect? {
        // Changes of the items in the meantime are applied when the marking ends.
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
        // The selected item is always visible, even if it does not match.
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

    private mutating func find(_ rows: ItemRows) -> Effect? {
        guard ids.count > Self.maxCountedAtOnce else {
            hidden = ids.filter { rows.row(of: $0) == nil }
            return nil
        }
        hidden = nil
        searches += 1
        return Effects.cancellable(id: EffectID.hiddenMarks, cancelInFlight: true) {
            [ids, search = searches] send in
            let hidden = await Self.hidden(ids, in: rows)
            await send(.marks(.hiddenFound(hidden, search: search)))
        }
    }

    /// Returns the items among `ids` that no row shows. O(`ids` + rows).
    @concurrent private static func hidden(
        _ ids: Set<Item.ID>, in rows: ItemRows
    ) async -> Set<Item.ID> { ids.subtracting(rows.ids) }

    /// Adopts the result of the newest search. Items that were marked or unmarked since then are
    /// visible, so the result is still correct.
    mutating func adopt(hidden found: Set<Item.ID>, search: Int) {
        if hidden == nil, search == searches { hidden = found }
    }
}

extension ItemRows {
    /// Returns the ids of the rows in `range`. If it covers all rows, leaves out a pinned row that
    /// does not match.
    fileprivate func matches(in range: Range<Int>) -> [Item.ID] {
        let ids = ids(in: range)
        guard let held, range.count == count else { return ids }
        return ids.filter { $0 != held }
    }
}

/// The marking or inverting of many rows, which can run on any thread.
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

    /// Marks or inverts the rows. O(marked items + rows of the range).
    @concurrent func run() async -> Set<Item.ID> { filled }

    fileprivate var filled: Set<Item.ID> {
        let shown = Set(rows.matches(in: range))
        return inverts ? ids.symmetricDifference(shown) : ids.union(shown)
    }
}

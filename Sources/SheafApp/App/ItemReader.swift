import SheafList
import Swidux

/// Makes a store of the pages that are read of a long list, and its totals, away from the main
/// actor.
actor ItemReader {
    private let today: CalendarDay
    private let loading: Loading
    private var items = EntityStore<Item>()
    private var totals = ItemTotals()

    /// - Parameter loading: knows the tags that recovered changes delete.
    init(_ loading: Loading, today: CalendarDay) {
        self.loading = loading
        self.today = today
    }

    /// Adds a page, which follows the last. O(page).
    func add(_ page: [Item]) {
        items.hydrate(page.lazy.map(loading.withoutGoneTags), keepsDeltas: false)
        totals.update(from: items, today: today)
    }

    /// All that was added. O(1).
    var read: ReadItems { ReadItems(items: items, totals: totals) }
}

/// The items that were read of a list, and their totals.
public struct ReadItems: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let items: EntityStore<Item>
    let totals: ItemTotals

    public var description: String { "\(items.count) items" }
    public var debugDescription: String { description }
}

import SheafList
import Swidux

/// An actor that collects the loaded pages of a long list in a store, with its totals, off the main
/// actor.
actor ItemReader {
    private let today: CalendarDay
    private let loading: Loading
    private var items = EntityStore<Item>()
    private var totals = ItemTotals()

    /// - Parameter loading: contains the tags that recovered changes delete. The reader removes
    ///   these tags from the items.
    init(_ loading: Loading, today: CalendarDay) {
        self.loading = loading
        self.today = today
    }

    /// Adds the next page. O(page).
    func add(_ page: [Item]) {
        items.hydrate(page.lazy.map(loading.withoutGoneTags), keepsDeltas: false)
        totals.update(from: items, today: today)
    }

    /// All items added so far. O(1).
    var read: ReadItems { ReadItems(items: items, totals: totals) }
}

/// The loaded items of a list, and their totals.
package struct ReadItems: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let items: EntityStore<Item>
    let totals: ItemTotals

    package var description: String { "\(items.count) items" }
    package var debugDescription: String { description }
}

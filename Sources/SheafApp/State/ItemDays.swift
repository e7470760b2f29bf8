import SheafList
import Swidux

/// How many items are not done, and how many of these are late or scheduled for a later day: kept
/// up with their changes and with the day.
struct ItemDays: Sendable {
    private var due = Days()
    private var scheduled = Days()
    private var seen: Revision?

    /// The items that are not done.
    private(set) var open = 0
    /// The items that were due before today.
    var late: Int { due.before }
    /// The items that are scheduled for after today.
    var later: Int { scheduled.after }
    /// Whether any item is due on some day.
    var hasDue: Bool { !due.counts.isEmpty }

    /// How many items there are on each day.
    private struct Days {
        private(set) var counts: [CalendarDay: Int] = [:]
        private(set) var before = 0
        private(set) var after = 0
        private var today = CalendarDay.first

        /// O(days) on another day than the last.
        mutating func begin(_ today: CalendarDay) {
            guard today != self.today else { return }
            self.today = today
            (before, after) = (0, 0)
            for (day, count) in counts { sort(day, count) }
        }

        mutating func add(_ day: CalendarDay?, _ step: Int) {
            guard let day else { return }
            sort(day, step)
            let count = counts[day, default: 0] + step
            counts[day] = count == 0 ? nil : count
        }

        private mutating func sort(_ day: CalendarDay, _ count: Int) {
            if day < today { before += count }
            if day > today { after += count }
        }
    }

    /// Takes over what has changed. O(changes), and O(days) when another day begins.
    mutating func update(from items: EntityStore<Item>, today: CalendarDay) {
        due.begin(today)
        scheduled.begin(today)
        guard seen != items.revision else { return }
        if let deltas = seen.flatMap({ items.deltas(since: $0) }) {
            for delta in deltas {
                if let before = delta.before { add(before, -1) }
                if let after = delta.after { add(after, 1) }
            }
        } else {
            self = ItemDays()
            due.begin(today)
            scheduled.begin(today)
            for item in items { add(item, 1) }
        }
        seen = items.revision
    }

    private mutating func add(_ item: Item, _ step: Int) {
        guard !item.isDone else { return }
        open += step
        due.add(item.due, step)
        scheduled.add(item.scheduled, step)
    }
}

import SheafList

/// The due days and priorities of demo items.
///
/// It has its own random numbers, so the other values of the items do not depend on their days.
struct DemoDays {
    private let today: CalendarDay
    private var generator: SplitMix64

    init(today: CalendarDay, seed: UInt64) {
        self.today = today
        generator = SplitMix64(seed: ~seed)
    }

    /// Sets a priority and days on some items. A third of the items are due. Some of these repeat,
    /// and some are scheduled for a day before the due day.
    mutating func set(on item: inout Item) {
        if chance(6) {
            item.priority = Priority.allCases.prefix(4).randomElement(using: &generator)
        }
        guard chance(3) else {
            if chance(40) { item.scheduled = day(in: 1...60) }
            return
        }
        item.due = item.isDone ? day(in: -90...0) : chance(12) ? day(in: -20...0) : day(in: 0...120)
        if chance(8) {
            item.scheduled = item.due?.advanced(days: -Int.random(in: 1...14, using: &generator))
        }
        if chance(10) { item.repeat = Self.rules.randomElement(using: &generator) }
    }

    private static let rules = ["+1w", "+1m", "2w", "+1y", "3m", "+1b"].compactMap(Repeat.init)

    private mutating func day(in days: ClosedRange<Int>) -> CalendarDay {
        today.advanced(days: Int.random(in: days, using: &generator))
    }

    /// Returns true with a probability of 1 in `one`.
    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &generator) == 0
    }
}

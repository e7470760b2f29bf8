import SheafList

/// When demo items are due, and how much they matter.
///
/// It has random numbers of its own, so that the items of a seed are otherwise the same as before
/// they had days.
struct DemoDays {
    private let today: CalendarDay
    private var generator: SplitMix64

    init(today: CalendarDay, seed: UInt64) {
        self.today = today
        generator = SplitMix64(seed: ~seed)
    }

    /// A third of the items is due, most of it soon; some of these repeat, some can wait.
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

    /// True once in `one` times.
    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &generator) == 0
    }
}

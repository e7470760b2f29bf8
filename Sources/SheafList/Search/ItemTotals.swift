import Swidux

/// Numbers about all items of a list: how many have each tag, and how many of those that are not
/// done are late, or scheduled for a later day.
public struct ItemTotals: Sendable {
    /// How many items each tag has.
    public private(set) var tags = TagCounts()
    /// The number of items that are not done.
    public private(set) var open = 0
    private var due = Days()
    private var scheduled = Days()
    /// The items at the last update.
    private var items = ItemSequence()

    /// The open items that were due before today.
    public var late: Int { due.before }
    /// The open items that are scheduled for after today.
    public var later: Int { scheduled.after }
    /// True if an open item is due on some day.
    public var hasDue: Bool { !due.counts.isEmpty }

    /// Totals of nothing, until the first update.
    public init() {}

    /// Follows the items, chunk by chunk. O(chunks + changed chunks), O(chunks) if nothing has
    /// changed, and O(days) when another day begins.
    public mutating func update(from store: EntityStore<Item>, today: CalendarDay) {
        due.begin(today)
        scheduled.begin(today)
        let changes = store.shared.changedChunks(since: items)
        for number in changes.old { count(items.chunks[number], by: -1) }
        items = store.shared
        for number in changes.new { count(items.chunks[number], by: 1) }
    }

    private mutating func count(_ chunk: ItemChunk, by step: Int) {
        let columns = chunk.columns
        let all = ChunkBits(first: chunk.count)
        tags.count(all, of: chunk, by: step)
        open += step * all.subtracting(columns.done).count
        columns.due.forEach { row, day in if !columns.done[row] { due.add(day, step) } }
        columns.scheduled.forEach { row, day in if !columns.done[row] { scheduled.add(day, step) } }
    }

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

        mutating func add(_ day: CalendarDay, _ step: Int) {
            sort(day, step)
            let count = counts[day, default: 0] + step
            counts[day] = count == 0 ? nil : count
        }

        private mutating func sort(_ day: CalendarDay, _ count: Int) {
            if day < today { before += count }
            if day > today { after += count }
        }
    }
}

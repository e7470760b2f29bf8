import Swidux

/// Totals over all items of a list: the items of each tag, and the open items that are late or
/// scheduled for a later day.
package struct ItemTotals: Sendable {
    /// The number of items with each tag.
    package private(set) var tags = TagCounts()
    /// The number of items that are not done.
    package private(set) var open = 0
    /// The number of open items that were due before today.
    package private(set) var late = 0
    /// The number of open items that are scheduled for after today.
    package private(set) var later = 0
    /// The number of open items that are due on each day.
    private var due: [CalendarDay: Int] = [:]
    private var scheduled: [CalendarDay: Int] = [:]
    private var today: CalendarDay?
    /// The items at the last update.
    private var items = ItemSequence()

    /// True if an open item is due on some day.
    package var hasDue: Bool { !due.isEmpty }

    /// Creates zero totals, for the first update.
    package init() {}

    /// Updates the totals from the changed chunks of items. O(chunks + changed chunks + days),
    /// O(chunks) if no item has changed.
    package mutating func update(from store: EntityStore<Item>, today: CalendarDay) {
        let changes = store.shared.changedChunks(since: items)
        guard changes.old.count + changes.new.count > 0 || today != self.today else { return }
        for number in changes.old { count(items.chunks[number], by: -1) }
        items = store.shared
        for number in changes.new { count(items.chunks[number], by: 1) }
        self.today = today
        late = due.reduce(0) { $1.key < today ? $0 + $1.value : $0 }
        later = scheduled.reduce(0) { $1.key > today ? $0 + $1.value : $0 }
    }

    private mutating func count(_ chunk: ItemChunk, by step: Int) {
        let columns = chunk.columns
        let all = ChunkBits(first: chunk.count)
        tags.count(all, of: chunk, by: step)
        open += step * all.subtracting(columns.done).count
        columns.due.forEach { row, day in if !columns.done[row] { due.count(day, by: step) } }
        columns.scheduled.forEach { row, day in
            if !columns.done[row] { scheduled.count(day, by: step) }
        }
    }
}

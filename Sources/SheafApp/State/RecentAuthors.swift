import SheafList

/// The other authors who have changed items since the list was opened. The last 1,000 items are
/// kept.
package struct RecentAuthors: Hashable, Sendable {
    private struct Entry: Hashable {
        var author: Author
        /// The item's `updatedAt` when its change arrived. An edit by this process changes the
        /// item's time, so the entry no longer applies.
        var updatedAt: Timestamp
        var seenAt: Timestamp
    }

    private var entries: [Item.ID: Entry] = [:]
    private var order: [Item.ID] = []
    private static let maxEntries = 1_000
    /// The time, in milliseconds, for which a row shows the author of its change.
    private static let displayTime = 300_000

    package var isEmpty: Bool { entries.isEmpty }

    /// Records the authors of the fetched `items`. O(items).
    mutating func add(_ authors: [Item.ID: Author], of items: [Item], now: Timestamp) {
        for item in items {
            guard let author = authors[item.id] else { continue }
            if entries.updateValue(
                Entry(author: author, updatedAt: item.updatedAt, seenAt: now), forKey: item.id)
                != nil
            {
                order.removeAll { $0 == item.id }
            }
            order.append(item.id)
        }
        for id in order.prefix(max(order.count - Self.maxEntries, 0)) { entries[id] = nil }
        order.removeFirst(max(order.count - Self.maxEntries, 0))
    }

    /// Returns the author of the last change of `item`, or nil if this process made it or the
    /// author is unknown. O(1).
    package func author(of item: Item) -> Author? {
        guard let entry = entries[item.id], entry.updatedAt == item.updatedAt else { return nil }
        return entry.author
    }

    /// Returns the author of the last change of `item` for a limited time after it arrived. O(1).
    package func recentAuthor(of item: Item, now: Timestamp) -> Author? {
        guard let entry = entries[item.id], now.milliseconds(since: entry.seenAt) < Self.displayTime
        else { return nil }
        return author(of: item)
    }
}

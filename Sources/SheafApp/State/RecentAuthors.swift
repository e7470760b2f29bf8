import SheafList

/// Who else has changed items since the list was opened, as far as it is not forgotten: of the last
/// thousand.
public struct RecentAuthors: Hashable, Sendable {
    private struct Entry: Hashable {
        var author: Author
        /// What the item said of its last change: after an edit here it says something else.
        var updatedAt: Timestamp
        var seenAt: Timestamp
    }

    private var entries: [Item.ID: Entry] = [:]
    private var order: [Item.ID] = []
    private static let most = 1_000
    /// So long, in milliseconds, a row shows who has changed it.
    private static let shownFor = 300_000

    public var isEmpty: Bool { entries.isEmpty }

    /// Takes in who has written `items`, which were fetched. O(items).
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
        for id in order.prefix(max(order.count - Self.most, 0)) { entries[id] = nil }
        order.removeFirst(max(order.count - Self.most, 0))
    }

    /// Who has changed `item` last, if it was somebody else. O(1).
    public func author(of item: Item) -> Author? {
        guard let entry = entries[item.id], entry.updatedAt == item.updatedAt else { return nil }
        return entry.author
    }

    /// The same for a while after it was seen. O(1).
    public func newsAuthor(of item: Item, now: Timestamp) -> Author? {
        guard let entry = entries[item.id], now.milliseconds(since: entry.seenAt) < Self.shownFor
        else { return nil }
        return author(of: item)
    }
}

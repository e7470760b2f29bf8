import SheafList

/// Items that were read in advance, to reduce round trips to a distant server.
struct PrefetchedItems {
    var items: ArraySlice<Item>
    /// The position of the item before the first one.
    var cursor: ItemPosition?
    var isLast: Bool

    /// True if the next items must be requested from the server.
    var isExhausted: Bool { items.isEmpty && !isLast }

    /// Removes and returns the first `limit` items. Returns `nil` if they do not begin after
    /// `cursor` or are too few.
    mutating func removeFirst(_ limit: Int, after cursor: ItemPosition?) -> [Item]? {
        guard cursor != nil, self.cursor == cursor, items.count >= limit || isLast else {
            return nil
        }
        let taken = Array(items.prefix(limit))
        items = items.dropFirst(limit)
        self.cursor = taken.last?.position
        return taken
    }
}

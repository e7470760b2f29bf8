import SheafList

/// Items that were read before they were asked for, so that a server far away is asked seldom.
struct PageAhead {
    var items: ArraySlice<Item>
    /// After which item it begins.
    var cursor: ItemPosition?
    var isLast: Bool

    /// True if the server has to be asked for the items that follow.
    var isUsedUp: Bool { items.isEmpty && !isLast }

    /// Takes out the first `limit` items, or nil if it does not begin after `cursor` or has too
    /// few.
    mutating func take(_ limit: Int, after cursor: ItemPosition?) -> [Item]? {
        guard cursor != nil, self.cursor == cursor, items.count >= limit || isLast else {
            return nil
        }
        let taken = Array(items.prefix(limit))
        items = items.dropFirst(limit)
        self.cursor = taken.last?.position
        return taken
    }
}

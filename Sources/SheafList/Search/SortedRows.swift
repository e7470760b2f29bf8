import Swidux

/// Items in an order other than the manual one, in chunks. Lookup uses the item's key, so an
/// insertion changes no indices.
struct SortedRows: Sendable {
    private let order: RowOrder
    private var items: ItemSequence

    /// Merges sorted parts, which are consecutive in the list.
    init(_ parts: [RowOrder.Part], in order: RowOrder) {
        self.order = order
        items = ItemSequence(order.merged(parts))
    }

    /// The number of rows. O(1).
    var count: Int { items.count }

    /// Returns the items at the rows of `range`, which must exist. O(rows × log n).
    func items(in range: Range<Int>) -> [SharedEntity<Item>] { Array(items[range]) }

    /// Returns the place that an item has, or would have. O(log n).
    private func place(of item: SharedEntity<Item>) -> ItemSequence.Place {
        let (key, position) = (order.key(of: item.value), item.value.position)
        return items.place { other in
            order.isBefore(other.value, order.key(of: other.value), item.value, key)
                ?? (order.isManualReversed
                    ? position < other.value.position : other.value.position < position)
        }
    }

    /// Returns the row that an item has, or would have. `item` must equal the stored value. O(log
    /// n).
    func row(of item: SharedEntity<Item>) -> Int { items.position(of: place(of: item)) }

    // MARK: Editing

    /// Removes an item, which must equal the stored value. O(log n + chunks).
    mutating func remove(_ item: SharedEntity<Item>) {
        let place = place(of: item)
        if items[place]?.value.id == item.value.id { items.remove(at: place) }
    }

    /// Inserts an item at its place, unless it is there. O(log n + chunks).
    mutating func insert(_ item: SharedEntity<Item>) {
        let place = place(of: item)
        if items[place]?.value.id != item.value.id { items.insert(item, at: place) }
    }
}

import Swidux

/// Items in an order other than the manual one, in chunks. An item is found by its key, so an
/// insertion moves no numbers.
struct SortedRows: Sendable {
    private let order: RowOrder
    private var items: ItemSequence

    /// The rows of sorted parts, which follow each other in the list.
    init(_ parts: [RowOrder.Part], in order: RowOrder) {
        self.order = order
        items = ItemSequence(order.merged(parts))
    }

    /// The number of rows. O(1).
    var count: Int { items.count }

    /// Returns the items at rows, which must exist. O(rows × log n).
    func items(in range: Range<Int>) -> [SharedEntity<Item>] { Array(items[range]) }

    /// Where an item is, or would be. O(log n).
    private func place(of item: SharedEntity<Item>) -> ItemSequence.Place {
        let (key, position) = (order.key(of: item.value), item.value.position)
        return items.place { other in
            order.isBefore(other.value, order.key(of: other.value), item.value, key)
                ?? (order.isManualReversed
                    ? position < other.value.position : other.value.position < position)
        }
    }

    /// The row of an item as it is here, or where it would be. O(log n).
    func row(of item: SharedEntity<Item>) -> Int { items.position(of: place(of: item)) }

    // MARK: Editing

    /// Takes an item out, as it is here. O(log n + chunks).
    mutating func remove(_ item: SharedEntity<Item>) {
        let place = place(of: item)
        if items[place]?.value.id == item.value.id { items.remove(at: place) }
    }

    /// Puts an item where it belongs, if it is not there. O(log n + chunks).
    mutating func insert(_ item: SharedEntity<Item>) {
        let place = place(of: item)
        if items[place]?.value.id != item.value.id { items.insert(item, at: place) }
    }
}

import Swidux

/// Items in an order other than the manual one, in chunks. An item is found by its key, so an
/// insertion moves no numbers.
struct SortedRows: Sendable {
    /// An order of items.
    enum Order: Sendable {
        case by(ItemOrder)
        /// The best fuzzy matches of a search first.
        case points(ItemSearch)

        /// The key of an item, unless items are sorted by name.
        func key(of item: Item) -> ItemOrder.Key {
            switch self {
            case .by(let order): order.key(of: item)
            case .points(let search): ItemOrder.Key(first: .max - UInt64(search.points(of: item)))
            }
        }
    }

    private let order: Order
    private var items: ItemSequence

    /// The rows of `items`, which stand in this order.
    init(_ items: [SharedEntity<Item>], in order: Order) {
        self.order = order
        self.items = ItemSequence(items)
    }

    /// The number of rows. O(1).
    var count: Int { items.count }

    /// The item at a row. O(log n).
    func item(at row: Int) -> SharedEntity<Item>? {
        0..<count ~= row ? items[row] : nil
    }

    // MARK: Finding

    /// The compared parts of an item.
    private struct Key {
        let item: Item
        let key: ItemOrder.Key
        var folded: [UInt8] = []
    }

    private func key(of item: Item) -> Key {
        guard case .by(let order) = order, order.sort == .name else {
            return Key(item: item, key: order.key(of: item))
        }
        let folded = FoldedText.bytes(of: item.name)
        return Key(
            item: item,
            key: folded.withUnsafeBufferPointer {
                NameOrder.key(of: $0, isReversed: order.isReversed)
            },
            folded: folded)
    }

    private func isBefore(_ item: SharedEntity<Item>, _ other: Key) -> Bool {
        let key = key(of: item.value)
        if key.key.first != other.key.first { return key.key.first < other.key.first }
        if key.key.second != other.key.second { return key.key.second < other.key.second }
        guard case .by(let order) = order else { return key.item.position < other.item.position }
        if order.sort == .name {
            var place = key.folded.withUnsafeBufferPointer { folded in
                other.folded.withUnsafeBufferPointer { NameOrder.compare(folded, $0) }
            }
            if place == 0 { place = NameOrder.compareBytes(key.item.texts, other.item.texts) }
            if place != 0 { return (place < 0) != order.isReversed }
        }
        return order.isManualReversed
            ? other.item.position < key.item.position : key.item.position < other.item.position
    }

    /// Where an item is, or would be. O(log n).
    private func place(of item: Item) -> ItemSequence.Place {
        let wanted = key(of: item)
        return items.place { isBefore($0, wanted) }
    }

    /// The row of an item as it is here, or where it would be. O(log n).
    func row(of item: Item) -> (row: Int, isPresent: Bool) {
        let place = place(of: item)
        return (items.position(of: place), items[place]?.value.id == item.id)
    }

    // MARK: Editing

    /// Takes an item out, as it is here. O(log n + chunks).
    mutating func remove(_ item: Item) {
        let place = place(of: item)
        if items[place]?.value.id == item.id { items.remove(at: place) }
    }

    /// Puts an item where it belongs, if it is not there. O(log n + chunks).
    mutating func insert(_ item: SharedEntity<Item>) {
        let place = place(of: item.value)
        if items[place]?.value.id != item.value.id { items.insert(item, at: place) }
    }
}

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
    private var chunks: [ContiguousArray<SharedEntity<Item>>]
    /// The number of rows before each chunk, and of all.
    private var starts: [Int] = []

    /// The rows of `items`, which stand in this order.
    init(_ items: [SharedEntity<Item>], in order: Order) {
        self.order = order
        chunks = stride(from: 0, to: items.count, by: ItemChunk.fill).map {
            ContiguousArray(items[$0..<min($0 + ItemChunk.fill, items.count)])
        }
        countRows()
    }

    private mutating func countRows() {
        starts = [0]
        for chunk in chunks { starts.append((starts.last ?? 0) + chunk.count) }
    }

    /// The number of rows. O(1).
    var count: Int { starts.last ?? 0 }

    /// The item at a row. O(log n).
    func item(at row: Int) -> SharedEntity<Item>? {
        guard 0..<count ~= row else { return nil }
        var (low, high) = (0, chunks.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return chunks[low][row - starts[low]]
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
    private func place(of item: Item) -> (chunk: Int, index: Int) {
        let wanted = key(of: item)
        var (low, high) = (0, chunks.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if isBefore(chunks[middle][0], wanted) || chunks[middle][0].value.id == item.id {
                low = middle
            } else {
                high = middle
            }
        }
        guard low < chunks.count else { return (0, 0) }
        var (first, last) = (0, chunks[low].count)
        while first < last {
            let middle = (first + last) / 2
            if isBefore(chunks[low][middle], wanted) { first = middle + 1 } else { last = middle }
        }
        return (low, first)
    }

    /// The row of an item as it is here, or where it would be. O(log n).
    func row(of item: Item) -> (row: Int, isPresent: Bool) {
        let place = place(of: item)
        guard place.chunk < chunks.count else { return (0, false) }
        let chunk = chunks[place.chunk]
        return (
            starts[place.chunk] + place.index,
            place.index < chunk.count && chunk[place.index].value.id == item.id
        )
    }

    // MARK: Editing

    /// Takes an item out, as it is here. O(log n + chunks).
    mutating func remove(_ item: Item) {
        let (chunk, index) = place(of: item)
        guard chunk < chunks.count, index < chunks[chunk].count,
            chunks[chunk][index].value.id == item.id
        else { return }
        chunks[chunk].remove(at: index)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
        countRows()
    }

    /// Puts an item where it belongs. O(log n + chunks).
    mutating func insert(_ item: SharedEntity<Item>) {
        let (chunk, index) = place(of: item.value)
        if chunks.isEmpty { chunks = [[]] }
        chunks[chunk].insert(item, at: index)
        if chunks[chunk].count > 2 * ItemChunk.fill {
            let full = chunks[chunk]
            chunks[chunk] = ContiguousArray(full.prefix(full.count / 2))
            chunks.insert(ContiguousArray(full.dropFirst(full.count / 2)), at: chunk + 1)
        }
        countRows()
    }
}

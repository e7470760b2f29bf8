import Swidux

/// Items in another order than the manual one, in chunks: an item is found by what it is sorted by,
/// so an insertion moves no numbers.
struct SortedRows: Sendable {
    /// What stands before what.
    enum Order: Sendable {
        case by(ItemOrder)
        /// The best fuzzy matches of a search first.
        case points(ItemSearch)
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

    /// What is compared of an item.
    private struct Key {
        let item: Item
        let key: ItemOrder.Key
        let folded: [UInt8]
    }

    private func key(of item: Item) -> Key {
        switch order {
        case .by(let order):
            let folded = order.sort == .name ? FoldedText.bytes(of: item.name) : []
            let key = folded.withUnsafeBufferPointer { order.key(of: item, folded: $0) }
            return Key(item: item, key: key, folded: folded)
        case .points(let search):
            let key = ItemOrder.Key(points: search.points(of: item))
            return Key(item: item, key: key, folded: [])
        }
    }

    private func isBefore(_ item: SharedEntity<Item>, _ other: Key) -> Bool {
        let key = key(of: item.value)
        let order = if case .by(let order) = order { order } else { ItemOrder.manual }
        return key.folded.withUnsafeBufferPointer { folded in
            other.folded.withUnsafeBufferPointer {
                order.isBefore(key.item, key.key, folded, other.item, other.key, $0)
            }
        }
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

extension ItemOrder.Key {
    /// The key of an item with so many points, of which more come first.
    init(points: Int) { self.init(first: .max - UInt64(points)) }
}

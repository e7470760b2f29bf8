import Swidux

/// Sorts many rows: keys of two numbers side by side, and names only where these are equal.
struct RowsSort: Sendable {
    private let order: SortedRows.Order
    private let isByName: Bool
    private let isReversed: Bool
    /// Whether rows that are equal in the order stand as in the manual order backwards.
    private let isBackwards: Bool

    init(_ order: SortedRows.Order) {
        self.order = order
        let itemOrder = if case .by(let order) = order { order } else { ItemOrder.manual }
        isByName = itemOrder.sort == .name
        isReversed = itemOrder.isReversed
        isBackwards = itemOrder.isManualReversed
    }

    /// Rows that stand side by side in the list, sorted.
    struct Part: Sendable {
        fileprivate var rows: [Row] = []
        fileprivate var items: [SharedEntity<Item>] = []
        /// The folded names of a sort by name, one after the other.
        fileprivate var names: [UInt8] = []
    }

    fileprivate struct Row {
        let key: ItemOrder.Key
        /// Where the name is among those of the part.
        let name: Range<Int>
        let number: Int32
    }

    /// The rows of leaves, sorted. O(n log n).
    func sorted(_ leaves: ArraySlice<ListRows.Leaf>) -> Part {
        var part = Part()
        for leaf in leaves {
            let columns = leaf.chunk.columns
            for (index, layer) in leaf.layers.enumerated() where layer != ListRows.hidden {
                append(leaf.chunk.elements[index], columns, index, to: &part)
            }
        }
        var rows = part.rows
        part.rows = []
        part.names.withUnsafeBufferPointer { names in
            rows.sort { row, other in
                isBefore(row, names, other, names)
                    ?? isBefore(
                        part.items[Int(row.number)], part.items[Int(other.number)],
                        tie: (row.number < other.number) != isBackwards)
            }
        }
        part.rows = rows
        return part
    }

    private func append(
        _ item: SharedEntity<Item>, _ columns: ItemColumns, _ index: Int, to part: inout Part
    ) {
        let start = part.names.count
        let key: ItemOrder.Key
        if isByName {
            key = columns.withName(index) { name in
                part.names.append(contentsOf: name)
                return NameOrder.key(of: name, isReversed: isReversed)
            }
        } else {
            key = order.key(of: item.value)
        }
        part.rows.append(
            Row(
                key: key, name: start..<part.names.count, number: Int32(part.items.count)))
        part.items.append(item)
    }

    /// Whether a row stands before another one, by keys and folded names; nil if these are equal.
    @inline(__always) private func isBefore(
        _ row: Row, _ names: UnsafeBufferPointer<UInt8>,
        _ other: Row, _ otherNames: UnsafeBufferPointer<UInt8>
    ) -> Bool? {
        if row.key.first != other.key.first { return row.key.first < other.key.first }
        if row.key.second != other.key.second { return row.key.second < other.key.second }
        guard isByName else { return nil }
        let order = NameOrder.compare(names.slice(row.name), otherNames.slice(other.name))
        return order == 0 ? nil : (order < 0) != isReversed
    }

    /// True if an item stands before one that is equal but for the bytes of its name; `tie` if
    /// these are equal too.
    private func isBefore(
        _ item: SharedEntity<Item>, _ other: SharedEntity<Item>, tie: Bool
    ) -> Bool {
        guard isByName else { return tie }
        let order = NameOrder.compareBytes(item.value.texts, other.value.texts)
        return order == 0 ? tie : (order < 0) != isReversed
    }

    /// All items of sorted parts, which follow each other in the list, in one order. O(n × parts).
    func merged(_ parts: [Part]) -> [SharedEntity<Item>] {
        guard let first = parts.first else { return [] }
        var sorted = first
        for part in parts.dropFirst() { sorted = merged(sorted, part) }
        return sorted.rows.map { sorted.items[Int($0.number)] }
    }

    private func merged(_ left: Part, _ right: Part) -> Part {
        var merged = Part()
        merged.items = left.items + right.items
        merged.names = left.names + right.names
        merged.rows.reserveCapacity(merged.items.count)
        let (bytes, numbers) = (left.names.count, Int32(left.items.count))
        func appendRight(_ row: Row) {
            merged.rows.append(
                Row(
                    key: row.key, name: row.name.lowerBound + bytes..<row.name.upperBound + bytes,
                    number: row.number + numbers))
        }
        left.names.withUnsafeBufferPointer { leftNames in
            right.names.withUnsafeBufferPointer { rightNames in
                var (i, j) = (0, 0)
                while i < left.rows.count, j < right.rows.count {
                    let (row, other) = (right.rows[j], left.rows[i])
                    let takesRight =
                        isBefore(row, rightNames, other, leftNames)
                        ?? isBefore(
                            right.items[Int(row.number)], left.items[Int(other.number)],
                            tie: isBackwards)
                    if takesRight {
                        appendRight(right.rows[j])
                        j += 1
                    } else {
                        merged.rows.append(left.rows[i])
                        i += 1
                    }
                }
                merged.rows.append(contentsOf: left.rows[i...])
                for row in right.rows[j...] { appendRight(row) }
            }
        }
        return merged
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func slice(_ range: Range<Int>) -> UnsafeBufferPointer {
        UnsafeBufferPointer(rebasing: self[range])
    }
}

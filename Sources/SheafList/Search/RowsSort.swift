import Swidux

/// Sorts many rows: keys of two numbers side by side, and the names where these are equal.
struct RowsSort: Sendable {
    private let order: SortedRows.Order

    init(_ order: SortedRows.Order) { self.order = order }

    /// A part of the rows, sorted.
    struct Part: Sendable {
        fileprivate var rows: [Row] = []
        fileprivate var items: [SharedEntity<Item>] = []
        /// The folded names of a sort by name, one after the other.
        fileprivate var names: [UInt8] = []
    }

    fileprivate struct Row {
        let key: ItemOrder.Key
        /// Where the name is among those of the part.
        let name: Range<Int32>
        let number: Int32
    }

    /// The rows of leaves, sorted. O(n log n).
    func sorted(_ leaves: ArraySlice<ListRows.Leaf>) -> Part {
        var part = Part()
        for leaf in leaves {
            if Task.isCancelled { break }
            let columns = leaf.chunk.columns
            for (index, layer) in leaf.layers.enumerated() where layer != ListRows.hidden {
                append(leaf.chunk.items[index], columns, index, to: &part)
            }
        }
        let unsorted = part
        part.rows.sort { isBefore($0, unsorted, $1, unsorted) }
        return part
    }

    private func append(
        _ item: SharedEntity<Item>, _ columns: ItemColumns, _ index: Int, to part: inout Part
    ) {
        let start = Int32(part.names.count)
        let key: ItemOrder.Key
        switch order {
        case .by(let order) where order.sort == .name:
            key = columns.withName(index) { name in
                part.names.append(contentsOf: name)
                return order.key(of: item.value, folded: name)
            }
        case .by(let order):
            key = order.key(of: item.value, folded: UnsafeBufferPointer(start: nil, count: 0))
        case .points(let search): key = ItemOrder.Key(points: search.points(of: item.value))
        }
        part.rows.append(
            Row(
                key: key, name: start..<Int32(part.names.count), number: Int32(part.items.count)))
        part.items.append(item)
    }

    private func isBefore(_ row: Row, _ part: Part, _ other: Row, _ otherPart: Part) -> Bool {
        if row.key.first != other.key.first { return row.key.first < other.key.first }
        if row.key.second != other.key.second { return row.key.second < other.key.second }
        let order = if case .by(let order) = order { order } else { ItemOrder.manual }
        let (item, otherItem) = (part.items[Int(row.number)], otherPart.items[Int(other.number)])
        return part.names.withUnsafeBufferPointer { names in
            otherPart.names.withUnsafeBufferPointer { otherNames in
                order.isBefore(
                    item.value, row.key, names.slice(row.name), otherItem.value, other.key,
                    otherNames.slice(other.name))
            }
        }
    }

    /// All items of sorted parts in one order. O(n × parts).
    func merged(_ parts: [Part]) -> [SharedEntity<Item>] {
        var places = parts.map { _ in 0 }
        var items: [SharedEntity<Item>] = []
        items.reserveCapacity(parts.reduce(0) { $0 + $1.rows.count })
        while true {
            var best: Int?
            for part in parts.indices where places[part] < parts[part].rows.count {
                guard let other = best else {
                    best = part
                    continue
                }
                let row = parts[part].rows[places[part]]
                if isBefore(row, parts[part], parts[other].rows[places[other]], parts[other]) {
                    best = part
                }
            }
            guard let best else { return items }
            items.append(parts[best].items[Int(parts[best].rows[places[best]].number)])
            places[best] += 1
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func slice(_ range: Range<Int32>) -> UnsafeBufferPointer {
        UnsafeBufferPointer(rebasing: self[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}

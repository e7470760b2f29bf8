import Swidux

/// An order of rows other than the manual one: an ``ItemOrder``, or the best fuzzy matches first.
struct RowOrder: Sendable {
    private let order: ItemOrder
    /// The search whose fuzzy matches are ranked, or nil.
    private let ranking: ItemSearch?
    private let isByName: Bool
    /// True if rows that are equal in the order stand as in the manual order backwards.
    let isManualReversed: Bool

    init(_ order: ItemOrder, ranking: ItemSearch? = nil) {
        self.order = order
        self.ranking = ranking
        isByName = order.sort == .name
        isManualReversed = order.sort == .manual && order.isReversed
    }

    /// An item, and the parts of it that are compared.
    struct Row: Sendable {
        let item: SharedEntity<Item>
        /// Compared first: in a sort by name the first bytes of the key.
        let number: UInt64
        /// The key of the name in a sort by name.
        var name: [UInt8] = []
    }

    /// The row of an item. O(name).
    func row(_ item: SharedEntity<Item>) -> Row {
        guard isByName else { return Row(item: item, number: number(of: item.value)) }
        return FoldedText.bytes(of: item.value.name).withUnsafeBufferPointer { row(item, $0) }
    }

    private func row(_ item: SharedEntity<Item>, _ name: UnsafeBufferPointer<UInt8>) -> Row {
        let key = NameOrder.key(of: name)
        var number: UInt64 = 0
        for index in 0..<8 { number = number << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        return Row(item: item, number: order.isReversed ? ~number : number, name: key)
    }

    private func number(of item: Item) -> UInt64 {
        ranking.map { .max - UInt64($0.points(of: item)) } ?? order.number(of: item)
    }

    /// True if `left` stands before `right`; nil if they are equal in the order.
    @inline(__always) func isBefore(_ left: Row, _ right: Row) -> Bool? {
        if left.number != right.number { return left.number < right.number }
        guard isByName else { return nil }
        var place = left.name.withUnsafeBufferPointer { left in
            right.name.withUnsafeBufferPointer { NameOrder.compare(left, $0) }
        }
        if place == 0 {
            place = NameOrder.compareBytes(left.item.value.texts, right.item.value.texts)
        }
        return place == 0 ? nil : (place < 0) != order.isReversed
    }

    // MARK: Sorting

    /// The rows of leaves, sorted. O(n log n).
    func sorted(_ leaves: ArraySlice<ListRows.Leaf>) -> [Row] {
        var rows: [Row] = []
        for leaf in leaves {
            // Other orders need no columns, which may have to be made.
            let columns = isByName ? leaf.chunk.columns : nil
            for (index, layer) in leaf.layers.enumerated() where layer != ListRows.hidden {
                let item = leaf.chunk.elements[index]
                rows.append(columns?.withName(index) { row(item, $0) } ?? row(item))
            }
        }
        if isManualReversed { rows.reverse() }
        // Stable: rows that are equal stay in the order of the list.
        rows.sort { isBefore($0, $1) ?? false }
        return rows
    }

    /// All rows of sorted parts, which follow each other in the list, in one order. O(n × parts).
    func merged(_ parts: [[Row]]) -> [Row] {
        parts.dropFirst().reduce(parts.first ?? []) { left, right in
            var merged: [Row] = []
            merged.reserveCapacity(left.count + right.count)
            var (i, j) = (0, 0)
            while i < left.count, j < right.count {
                if isBefore(right[j], left[i]) ?? isManualReversed {
                    merged.append(right[j])
                    j += 1
                } else {
                    merged.append(left[i])
                    i += 1
                }
            }
            merged += left[i...]
            merged += right[j...]
            return merged
        }
    }
}

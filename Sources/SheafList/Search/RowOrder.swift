import Swidux

/// An order of rows other than the manual one: an ``ItemOrder``, or best fuzzy matches first.
struct RowOrder: Sendable {
    private let order: ItemOrder
    /// The search whose fuzzy matches are ranked, or `nil`.
    private let ranking: ItemSearch?
    private let isByName: Bool
    /// True if rows that compare equal are in reversed manual order.
    let isManualReversed: Bool

    init(_ order: ItemOrder, ranking: ItemSearch? = nil) {
        self.order = order
        self.ranking = ranking
        isByName = order.sort == .name
        isManualReversed = order.sort == .manual && order.isReversed
    }

    /// The parts of an item that are compared.
    struct Key: Sendable {
        /// The part that is compared first. In a sort by name, it is the first bytes of the name's
        /// key.
        let number: UInt64
        /// The key of the name in a sort by name.
        var name: [UInt8] = []
    }

    /// Returns the key of an item. O(name).
    func key(of item: Item) -> Key {
        isByName
            ? FoldedText.bytes(of: item.name).withUnsafeBufferPointer(key(ofName:))
            : Key(number: number(of: item))
    }

    private func key(ofName name: UnsafeBufferPointer<UInt8>) -> Key {
        let key = name.nameKey
        var number: UInt64 = 0
        for index in 0..<8 { number = number << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        return Key(number: order.isReversed ? ~number : number, name: key)
    }

    private func number(of item: Item) -> UInt64 {
        ranking.map { .max - UInt64($0.points(of: item)) } ?? order.number(of: item)
    }

    /// Returns true if the left item precedes the right one; `nil` if the two compare equal.
    func isBefore(_ left: Item, _ leftKey: Key, _ right: Item, _ rightKey: Key) -> Bool? {
        if leftKey.number != rightKey.number { return leftKey.number < rightKey.number }
        guard isByName else { return nil }
        var place = leftKey.name.withUnsafeBufferPointer { left in
            rightKey.name.withUnsafeBufferPointer { left.order(to: $0) }
        }
        if place == 0 { place = left.texts.orderOfNames(to: right.texts) }
        return place == 0 ? nil : (place < 0) != order.isReversed
    }

    // MARK: Sorting

    /// The sorted rows of a part of the list. Each row is two numbers, so sorting needs no
    /// reference counting.
    struct Part: Sendable {
        fileprivate var rows: [(number: UInt64, place: Int32)] = []
        /// The items in list order, indexed by place; in a sort by name, also their keys.
        fileprivate var items: [SharedEntity<Item>] = []
        fileprivate var keys: [Key] = []
    }

    /// Returns the rows of leaves, sorted. O(n log n).
    func sorted(_ leaves: ArraySlice<ListRows.Leaf>) -> Part {
        var part = Part()
        var rows = part.rows
        for leaf in leaves {
            // Other orders need no columns, which would have to be built.
            let columns = isByName ? leaf.chunk.columns : nil
            // Sorted rows have only one layer.
            leaf.layers[0].forEach { index in
                let item = leaf.chunk.elements[index]
                let key = columns?.withName(index, key(ofName:)) ?? key(of: item.value)
                rows.append((key.number, Int32(part.items.count)))
                part.items.append(item)
                if isByName { part.keys.append(key) }
            }
        }
        rows.sort {
            isBefore($0, $1, in: part) ?? (($0.place < $1.place) != isManualReversed)
        }
        part.rows = rows
        return part
    }

    /// Merges the items of sorted parts, which are consecutive in the list. O(n × parts).
    func merged(_ parts: [Part]) -> [SharedEntity<Item>] {
        let sorted = parts.dropFirst().reduce(parts.first ?? Part(), merged)
        return sorted.rows.map { sorted.items[Int($0.place)] }
    }

    private func merged(_ left: Part, _ right: Part) -> Part {
        var merged = Part(items: left.items + right.items, keys: left.keys + right.keys)
        let places = Int32(left.items.count)
        let others = right.rows.map { (number: $0.number, place: $0.place + places) }
        var rows = merged.rows
        rows.reserveCapacity(merged.items.count)
        var (i, j) = (0, 0)
        while i < left.rows.count, j < others.count {
            if isBefore(others[j], left.rows[i], in: merged) ?? isManualReversed {
                rows.append(others[j])
                j += 1
            } else {
                rows.append(left.rows[i])
                i += 1
            }
        }
        rows += left.rows[i...]
        rows += others[j...]
        merged.rows = rows
        return merged
    }

    @inline(__always) private func isBefore(
        _ left: (number: UInt64, place: Int32), _ right: (number: UInt64, place: Int32),
        in part: Part
    ) -> Bool? {
        if left.number != right.number { return left.number < right.number }
        guard isByName else { return nil }
        let (left, right) = (Int(left.place), Int(right.place))
        return isBefore(
            part.items[left].value, part.keys[left], part.items[right].value, part.keys[right])
    }
}

import Swidux

/// An order of items. Those that are equal in it stand in manual order, and those that have nothing
/// to be sorted by stand last in both directions.
public struct ItemOrder: Hashable, Sendable {
    var sort = ItemSort.manual
    var isReversed = false
    /// The places of the tags, where they are what items are sorted by.
    var tagPlaces: [Tag.ID: Int] = [:]

    static let manual = ItemOrder()

    /// Where an item stands but for its place in the manual order.
    enum Key: Sendable {
        case number(Int64)
        /// A folded name, and the name itself.
        case name(ContiguousArray<UInt8>, String)
    }

    func key(of item: Item) -> Key {
        switch sort {
        case .name: .name(ContiguousArray(FoldedText.bytes(of: item.name)), item.name)
        default: .number(number(of: item))
        }
    }

    /// What an item is sorted by, ascending, unless that is its name.
    func number(of item: Item) -> Int64 {
        switch sort {
        case .manual, .match, .name: 0
        case .created: number(of: item.createdAt)
        case .changed: number(of: item.updatedAt)
        case .done: item.doneAt.map(number) ?? .max
        case .tag:
            item.tags.lazy.compactMap { tagPlaces[$0] }.min().map {
                Int64(isReversed ? ~$0 : $0)
            } ?? .max
        }
    }

    private func number(of time: Timestamp) -> Int64 {
        isReversed ? time.milliseconds : ~time.milliseconds
    }

    /// Whether the item of `key` stands before the row of a chunk; nil if it is that very item.
    func isBefore(_ key: Key, _ item: Item, _ chunk: IndexChunk, _ row: Int) -> Bool? {
        let other = chunk.items[row].value
        switch key {
        case .number(let number):
            let theirs = self.number(of: other)
            if number != theirs { return number < theirs }
        case .name(let folded, let name):
            let isBefore = chunk.names.withUnsafeBufferPointer { names in
                folded.withUnsafeBufferPointer { folded in
                    self.isBefore(
                        folded, name, UnsafeBufferPointer(rebasing: names[chunk.nameRange(row)]),
                        other.name)
                }
            }
            if let isBefore { return isBefore }
        }
        return precedesManually(item, other)
    }

    /// A number by which rows are sorted before anything else of them is compared: the smaller one
    /// comes first.
    func prefix(_ chunk: IndexChunk, _ row: Int) -> UInt64 {
        guard sort == .name else { return prefix(of: chunk.items[row].value) }
        return chunk.names.withUnsafeBufferPointer {
            prefix(ofName: UnsafeBufferPointer(rebasing: $0[chunk.nameRange(row)]))
        }
    }

    /// The same for an item, unless it is sorted by its name.
    func prefix(of item: Item) -> UInt64 { UInt64(bitPattern: number(of: item)) ^ 1 << 63 }

    /// The same for a folded name.
    func prefix(ofName folded: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let prefix = NameOrder.prefix(folded)
        return isReversed ? ~prefix : prefix
    }

    /// Whether a row stands before another one, by their names.
    func isBefore(_ left: IndexChunk, _ row: Int, _ right: IndexChunk, _ other: Int) -> Bool {
        let isBefore = left.names.withUnsafeBufferPointer { names in
            right.names.withUnsafeBufferPointer { otherNames in
                self.isBefore(
                    UnsafeBufferPointer(rebasing: names[left.nameRange(row)]),
                    left.items[row].value.name,
                    UnsafeBufferPointer(rebasing: otherNames[right.nameRange(other)]),
                    right.items[other].value.name)
            }
        }
        return isBefore
            ?? precedesManually(left.items[row].value, right.items[other].value) ?? false
    }

    /// Whether a name stands before another; nil if they are equal. The names themselves are asked
    /// for only where they are equal when folded.
    func isBefore(
        _ folded: UnsafeBufferPointer<UInt8>, _ name: @autoclosure () -> String,
        _ otherFolded: UnsafeBufferPointer<UInt8>, _ other: @autoclosure () -> String
    ) -> Bool? {
        let order = NameOrder.compare(folded, otherFolded)
        if order != 0 { return (order < 0) != isReversed }
        let (name, other) = (name(), other())
        guard !name.utf8.elementsEqual(other.utf8) else { return nil }
        return name.utf8.lexicographicallyPrecedes(other.utf8) != isReversed
    }

    /// Whether an item stands before another in the manual order; nil if it is that very item.
    func precedesManually(_ item: Item, _ other: Item) -> Bool? {
        if item.id == other.id && item.rank == other.rank { return nil }
        let isBefore = (item.rank, item.id) < (other.rank, other.id)
        return sort == .manual && isReversed ? !isBefore : isBefore
    }
}

/// The order of names: numbers by their value, all else by folded bytes.
enum NameOrder {
    /// Negative if `left` comes first, positive if `right` does, 0 if neither.
    static func compare(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (ours, theirs) = (digits(left, &i), digits(right, &j))
                if ours.count != theirs.count { return ours.count - theirs.count }
                for (a, b) in zip(ours, theirs) where left[a] != right[b] {
                    return Int(left[a]) - Int(right[b])
                }
            } else if left[i] != right[j] {
                return Int(left[i]) - Int(right[j])
            } else {
                i += 1
                j += 1
            }
        }
        return (left.count - i) - (right.count - j)
    }

    /// The first eight bytes of a key that sorts as ``compare`` does, as far as it goes: of two
    /// names the one with the smaller prefix comes first, and equal ones are to be compared.
    static func prefix(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        var room = 8
        var index = 0
        func rest() -> UInt64 { room == 0 ? result : result << UInt64(room * 8) }
        while index < name.count, room > 0 {
            if isDigit(name[index]) {
                let digits = digits(name, &index)
                result = result << 8 | UInt64(0x30 + min(digits.count, 9))
                room -= 1
                // Nine digits and more have one length here: the rest says nothing.
                if digits.count >= 9 { return rest() }
                for digit in digits.prefix(room) { result = result << 8 | UInt64(name[digit]) }
                room -= min(digits.count, room)
            } else {
                result = result << 8 | UInt64(name[index])
                room -= 1
                index += 1
            }
        }
        return rest()
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Passes a number and returns where its digits are, zeros in front aside.
    private static func digits(_ name: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Range<Int>
    {
        while index < name.count, name[index] == 0x30 { index += 1 }
        let start = index
        while index < name.count, isDigit(name[index]) { index += 1 }
        return start..<index
    }
}

import Glibc
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

    /// 16 bytes of what a row is sorted by, after `level` times 16 of them: the row with the
    /// smaller ones comes first.
    func key(of chunk: IndexChunk, _ row: Int, level: Int) -> SortKey {
        if sort == .name {
            return chunk.names.withUnsafeBufferPointer {
                key(ofName: UnsafeBufferPointer(rebasing: $0[chunk.nameRange(row)]), level: level)
            }
        }
        return SortKey(first: prefix(of: chunk.items[row].value), isLast: true)
    }

    /// What an item is sorted by first, unless that is its name.
    func prefix(of item: Item) -> UInt64 { UInt64(bitPattern: number(of: item)) ^ 1 << 63 }

    /// 16 bytes of a folded name.
    func key(ofName folded: UnsafeBufferPointer<UInt8>, level: Int = 0) -> SortKey {
        var key = NameOrder.key(folded, level: level)
        if isReversed { (key.first, key.second) = (~key.first, ~key.second) }
        return key
    }

    /// Whether the name of a row stands before that of another one.
    func isNameBefore(_ left: IndexChunk, _ row: Int, _ right: IndexChunk, _ other: Int) -> Bool {
        left.names.withUnsafeBufferPointer { names in
            right.names.withUnsafeBufferPointer { otherNames in
                isBefore(
                    UnsafeBufferPointer(rebasing: names[left.nameRange(row)]),
                    left.items[row].value.name,
                    UnsafeBufferPointer(rebasing: otherNames[right.nameRange(other)]),
                    right.items[other].value.name) ?? false
            }
        }
    }

    /// Whether a name stands before another; nil if they are equal. The names themselves are asked
    /// for only where they are equal when folded.
    func isBefore(
        _ folded: UnsafeBufferPointer<UInt8>, _ name: @autoclosure () -> String,
        _ otherFolded: UnsafeBufferPointer<UInt8>, _ other: @autoclosure () -> String
    ) -> Bool? {
        let order = NameOrder.compare(folded, otherFolded)
        if order != 0 { return (order < 0) != isReversed }
        let bytes = NameOrder.compareBytes(name(), other())
        return bytes == 0 ? nil : (bytes < 0) != isReversed
    }

    /// Whether an item stands before another in the manual order; nil if it is that very item.
    func precedesManually(_ item: Item, _ other: Item) -> Bool? {
        if item.id == other.id && item.rank == other.rank { return nil }
        let isBefore = (item.rank, item.id) < (other.rank, other.id)
        return sort == .manual && isReversed ? !isBefore : isBefore
    }
}

/// 16 bytes of what a row is sorted by, as numbers.
struct SortKey: Sendable {
    var first: UInt64
    var second: UInt64 = 0
    /// Whether nothing comes after them.
    var isLast: Bool

    static func < (left: SortKey, right: SortKey) -> Bool {
        left.first != right.first ? left.first < right.first : left.second < right.second
    }

    func isEqual(to other: SortKey) -> Bool { first == other.first && second == other.second }
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

    /// 16 bytes of a key that sorts as ``compare`` does, after `level` times 16 of them. Of a
    /// number it has how many digits there are, and then those.
    static func key(_ name: UnsafeBufferPointer<UInt8>, level: Int) -> SortKey {
        var key = SortKey(first: 0, isLast: true)
        var skipped = level * 16
        var count = 0
        func append(_ byte: UInt8) {
            if skipped > 0 {
                skipped -= 1
            } else if count < 8 {
                key.first = key.first << 8 | UInt64(byte)
                count += 1
            } else if count < 16 {
                key.second = key.second << 8 | UInt64(byte)
                count += 1
            } else {
                key.isLast = false
            }
        }
        var index = 0
        while index < name.count, key.isLast {
            guard isDigit(name[index]) else {
                append(name[index])
                index += 1
                continue
            }
            let digits = digits(name, &index)
            append(0x30 + UInt8(min(digits.count, 9)))
            if digits.count >= 9 {
                withUnsafeBytes(of: UInt32(clamping: digits.count).bigEndian) {
                    for byte in $0 { append(byte) }
                }
            }
            for digit in digits where key.isLast { append(name[digit]) }
        }
        // What is missing at the end is less than any byte. A shift by 64 and more leaves nothing.
        key.first <<= UInt64(8 * max(8 - count, 0))
        key.second <<= UInt64(8 * min(16 - count, 8))
        return key
    }

    /// Negative if the UTF-8 of `left` comes first, positive if that of `right` does, 0 if neither.
    static func compareBytes(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let ours = left.baseAddress, let theirs = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(ours, theirs, min(left.count, right.count))
                return order != 0 ? Int(order) : left.count - right.count
            }
        }
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

import Glibc

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

    /// Writes a key that sorts by its bytes as ``compare`` does, without a zero in it, and returns
    /// how long it is: as long as `key` if it was cut. Of a number it has how many digits there
    /// are, and then those.
    static func writeKey(
        of name: UnsafeBufferPointer<UInt8>, to key: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var count = 0
        func append(_ byte: UInt8) {
            guard count < key.count else { return }
            key[count] = byte
            count += 1
        }
        var index = 0
        while index < name.count, count < key.count {
            let byte = name[index]
            if isDigit(byte) {
                let digits = digits(name, &index)
                append(0x30 + UInt8(min(digits.count, 9)))
                if digits.count >= 9 {
                    for shift in stride(from: 56, through: 0, by: -7) {
                        append(0x02 + UInt8(digits.count >> shift & 0x7F))
                    }
                }
                for digit in digits.prefix(key.count - count) { append(name[digit]) }
            } else {
                // Zero says that there is no more.
                if byte <= 1 { append(1) }
                append(byte <= 1 ? byte + 1 : byte)
                index += 1
            }
        }
        return count
    }

    /// The `level`th 28 bytes of the key of a name; the last byte of the last of them is zero.
    static func key(of name: UnsafeBufferPointer<UInt8>, level: Int) -> SortKey {
        if level == 0, let key = plainKey(of: name) { return key }
        let size = SortKey.size
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (level + 1) * size) { key in
            let count = writeKey(of: name, to: key)
            for index in count..<key.count { key[index] = 0 }
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(key)[(level * size)...])
            return SortKey(bytes)
        }
    }

    /// The first key of a name that has no number in it: its first bytes as they are.
    private static func plainKey(of name: UnsafeBufferPointer<UInt8>) -> SortKey? {
        let key = SortKey(UnsafeRawBufferPointer(name))
        return key.isPlain(count: name.count) ? key : nil
    }

    /// So many keys of a name are asked for: names can be endless.
    static let depth = 4

    /// Negative if the name of `left` comes first by its bytes, positive if that of `right` does, 0
    /// if neither.
    static func compareBytes(_ left: ItemTexts, _ right: ItemTexts) -> Int {
        left.withUTF8 { left, _ in
            right.withUTF8 { right, _ in
                guard let ours = left.baseAddress, let theirs = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(ours, theirs, min(left.count, right.count))
                return order != 0 ? Int(order) : left.count - right.count
            }
        }
    }

    /// Whether a number in a name begins with a zero: with more of them it would have the same
    /// value.
    static func hasLeadingZero(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = name.baseAddress else { return false }
        var index = 0
        while let zero = memchr(start + index, 0x30, name.count - index) {
            index = UnsafeRawPointer(zero) - UnsafeRawPointer(start)
            if index == 0 || !isDigit(name[index - 1]) { return true }
            index += 1
        }
        return false
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

/// How a name is spelled, as far as it can be told from its folded form: names that no order of
/// ``NameOrder/compare(_:_:)`` tells apart and that are spelled alike are the same, unless both are
/// ``other``. Many names are the same, and to look at the names themselves takes several accesses
/// to memory for each.
struct NameSpelling: Equatable, Sendable {
    /// Which of the first 31 letters are capitals.
    private var capitals: UInt32 = 0

    /// In another way than with capitals of ASCII at the beginning, or with a number that begins
    /// with a zero.
    static let other = NameSpelling(capitals: .max)

    private init(capitals: UInt32) { self.capitals = capitals }

    init(of name: UnsafeBufferPointer<UInt8>, folded: UnsafeBufferPointer<UInt8>) {
        guard name.count == folded.count, !NameOrder.hasLeadingZero(name) else {
            self = .other
            return
        }
        for index in name.indices where name[index] != folded[index] {
            guard index < 31, 0x41...0x5A ~= name[index], name[index] | 0x20 == folded[index] else {
                self = .other
                return
            }
            capitals |= 1 << UInt32(index)
        }
    }
}

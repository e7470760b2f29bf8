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

    /// The first 16 bytes of a key that sorts by its bytes as ``compare(_:_:)`` does. Of a number
    /// it has how many digits there are, and then these; it ends where a number is so long that its
    /// length takes more than a byte.
    static func key(
        of name: UnsafeBufferPointer<UInt8>, isReversed: Bool = false
    ) -> ItemOrder.Key {
        var (key, count, index) = (ItemOrder.Key(first: 0), 0, 0)
        func append(_ byte: UInt8) {
            if count < 8 {
                key.first |= UInt64(byte) << UInt64(56 - 8 * count)
            } else if count < 16 {
                key.second |= UInt64(byte) << UInt64(120 - 8 * count)
            }
            count += 1
        }
        while index < name.count, count < 16 {
            let byte = name[index]
            if isDigit(byte) {
                let digits = digits(name, &index)
                append(0x30 + UInt8(min(digits.count, 9)))
                if digits.count >= 9 { break }
                for digit in digits { append(name[digit]) }
            } else {
                // Zero says that there is no more; the bytes after it look alike.
                append(max(byte, 1))
                if byte <= 1 { break }
                index += 1
            }
        }
        return isReversed ? ItemOrder.Key(first: ~key.first, second: ~key.second) : key
    }

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

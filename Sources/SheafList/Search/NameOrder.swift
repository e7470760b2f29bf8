import Glibc

/// The order of names: numbers by value, all other text by folded bytes.
enum NameOrder {
    /// Returns the sort key of a folded name. Keys are compared byte by byte. A number is
    /// represented by the count of its digits without leading zeros, followed by these digits.
    static func key(of name: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(name.count + 8)
        var index = 0
        while index < name.count {
            guard isDigit(name[index]) else {
                key.append(name[index])
                index += 1
                continue
            }
            let number = name[index...].prefix(while: isDigit)
            index = number.endIndex
            let digits = number.drop { $0 == 0x30 }
            // A nine means that the next byte continues the count.
            key += repeatElement(0x39, count: digits.count / 9)
            key.append(0x30 + UInt8(digits.count % 9))
            key += digits
        }
        return key
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Compares the names by their bytes: negative if the name of `left` comes first, positive if
    /// that of `right` does, 0 if they are equal.
    static func compareBytes(_ left: ItemTexts, _ right: ItemTexts) -> Int {
        left.withUTF8 { left, _ in right.withUTF8 { right, _ in compare(left, right) } }
    }

    /// Compares bytes: negative if `left` comes first, positive if `right` does, 0 if they are
    /// equal.
    static func compare(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        guard let ours = left.baseAddress, let theirs = right.baseAddress else {
            return left.count - right.count
        }
        let order = memcmp(ours, theirs, min(left.count, right.count))
        return order != 0 ? Int(order) : left.count - right.count
    }
}

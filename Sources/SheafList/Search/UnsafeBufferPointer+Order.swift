import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// The sort key of this folded name: numbers by value, all other text by its bytes. Keys are
    /// compared byte by byte. A number is represented by the count of its digits without leading
    /// zeros, followed by these digits.
    var nameKey: [UInt8] {
        func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
        var key: [UInt8] = []
        key.reserveCapacity(count + 8)
        var index = 0
        while index < count {
            guard isDigit(self[index]) else {
                key.append(self[index])
                index += 1
                continue
            }
            let number = self[index...].prefix(while: isDigit)
            index = number.endIndex
            let digits = number.drop { $0 == 0x30 }
            // A nine means that the next byte continues the count.
            key += repeatElement(0x39, count: digits.count / 9)
            key.append(0x30 + UInt8(digits.count % 9))
            key += digits
        }
        return key
    }

    /// Compares bytes: negative if these come first, positive if those of `other` do, 0 if they are
    /// equal. O(bytes).
    package func order(to other: UnsafeBufferPointer<UInt8>) -> Int {
        let common = Swift.min(count, other.count)
        if common > 0, let start = baseAddress, let theirs = other.baseAddress {
            let order = memcmp(start, theirs, common)
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}

extension ItemTexts {
    /// Compares the names by their bytes: negative if this one comes first, positive if that of
    /// `other` does, 0 if they are equal.
    func orderOfNames(to other: ItemTexts) -> Int {
        withUTF8 { name, _ in other.withUTF8 { other, _ in name.order(to: other) } }
    }
}

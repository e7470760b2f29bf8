import Glibc

/// The order of names: numbers by their value, all else by folded bytes.
enum NameOrder {
    /// The key of a folded name. Keys sort by their bytes. Of a number, a key has how many digits
    /// there are, zeros in front aside, and then these.
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
            // A nine says that the count goes on in the next byte.
            key += repeatElement(0x39, count: digits.count / 9)
            key.append(0x30 + UInt8(digits.count % 9))
            key += digits
        }
        return key
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Negative if the name of `left` comes first by its bytes, positive if that of `right` does, 0
    /// if neither.
    static func compareBytes(_ left: ItemTexts, _ right: ItemTexts) -> Int {
        left.withUTF8 { left, _ in right.withUTF8 { right, _ in compare(left, right) } }
    }

    /// Negative if the bytes of `left` come first, positive if those of `right` do, 0 if neither.
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

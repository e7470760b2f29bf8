import FoundationEssentials

/// UUIDs in the spelling of the store, in lower case: `9b2f6d0e-…`.
///
/// `UUID(uuidString:)` and `uuidString` convert through a `String`, which takes longer than reading
/// the row, so these functions have their own conversion.
extension UUID {
    private static let length = 36
    private static let digits = Array("0123456789abcdef".utf8)

    /// Parses `text`. Returns `nil` for invalid text, and for upper case, because a lookup by id
    /// would not find such a row.
    package init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.count == Self.length else { return nil }
        let id = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes -> UUID? in
            var place = 0
            for index in 0..<16 {
                if Self.isHyphen(before: index) {
                    guard text[place] == UInt8(ascii: "-") else { return nil }
                    place += 1
                }
                guard let high = Self.digit(text[place]),
                    let low = Self.digit(text[place + 1])
                else {
                    return nil
                }
                bytes[index] = high << 4 | low
                place += 2
            }
            return UUID(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self))
        }
        guard let id else { return nil }
        self = id
    }

    /// Calls `body` with its 36 characters.
    package func withText<T>(_ body: (UnsafeBufferPointer<CChar>) -> T) -> T {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.length) { text in
            withUnsafeBytes(of: uuid) { bytes in
                var place = 0
                for index in 0..<16 {
                    if Self.isHyphen(before: index) {
                        text[place] = CChar(UInt8(ascii: "-"))
                        place += 1
                    }
                    text[place] = CChar(Self.digits[Int(bytes[index] >> 4)])
                    text[place + 1] = CChar(Self.digits[Int(bytes[index] & 0xF)])
                    place += 2
                }
            }
            return body(UnsafeBufferPointer(text))
        }
    }

    private static func isHyphen(before index: Int) -> Bool {
        index == 4 || index == 6 || index == 8 || index == 10
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

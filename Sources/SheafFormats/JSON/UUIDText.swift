import FoundationEssentials

/// UUIDs in the spelling of the store, in lower case: `9b2f6d0e-…`.
///
/// `UUID(uuidString:)` and `uuidString` convert through a `String`, which takes longer than reading
/// the row, so this type has its own conversion.
package enum UUIDText {
    private static let length = 36
    private static let digits = Array("0123456789abcdef".utf8)

    /// Parses `text`. Returns `nil` for invalid text, and for upper case, because a lookup by id
    /// would not find such a row.
    package static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == length else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes in
            var place = 0
            for index in 0..<16 {
                if isHyphen(before: index) {
                    guard text[place] == UInt8(ascii: "-") else { return nil }
                    place += 1
                }
                guard let high = digit(text[place]), let low = digit(text[place + 1]) else {
                    return nil
                }
                bytes[index] = high << 4 | low
                place += 2
            }
            return UUID(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self))
        }
    }

    /// Calls `body` with the 36 characters of `id`.
    package static func withText<T>(of id: UUID, _ body: (UnsafeBufferPointer<CChar>) -> T) -> T {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { text in
            withUnsafeBytes(of: id.uuid) { bytes in
                var place = 0
                for index in 0..<16 {
                    if isHyphen(before: index) {
                        text[place] = CChar(UInt8(ascii: "-"))
                        place += 1
                    }
                    text[place] = CChar(digits[Int(bytes[index] >> 4)])
                    text[place + 1] = CChar(digits[Int(bytes[index] & 0xF)])
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

/// The stored form of text with U+0000, which PostgreSQL's `text` cannot contain.
///
/// U+E000, from the private use area, is the escape character: U+E000 `0` stands for U+0000, and a
/// doubled U+E000 stands for one. Almost every text contains neither character, and is stored
/// unchanged.
enum PostgresText {
    private static let escape: [UInt8] = [0xEE, 0x80, 0x80]

    /// Returns the stored form of `text`. O(length).
    static func encoded(_ text: String) -> String {
        guard needsEscape(text.utf8) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": scalars.append(contentsOf: ["\u{E000}", "0"])
            case "\u{E000}": scalars.append(contentsOf: [scalar, scalar])
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Returns the text of `bytes` in the stored form. O(length).
    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(escape[0]), needsEscape(text.utf8) else { return text }
        var scalars = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                scalars.append(scalar == "0" ? "\0" : scalar)
            } else if scalar == "\u{E000}" {
                isEscaped = true
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private static func needsEscape(_ bytes: String.UTF8View) -> Bool {
        var matched = 0
        for byte in bytes {
            if byte == 0 { return true }
            matched = byte == escape[matched] ? matched + 1 : (byte == escape[0] ? 1 : 0)
            if matched == escape.count { return true }
        }
        return false
    }
}

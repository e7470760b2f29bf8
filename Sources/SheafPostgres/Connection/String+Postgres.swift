/// The stored form of text with U+0000, which PostgreSQL's `text` cannot contain.
///
/// U+E000, from the private use area, is the escape character: U+E000 `0` stands for U+0000, and a
/// doubled U+E000 stands for one. Almost every text contains neither character, and is stored
/// unchanged.
extension String {
    private static let postgresEscape: [UInt8] = [0xEE, 0x80, 0x80]

    /// The stored form. O(length).
    var postgresText: String {
        guard Self.needsEscape(utf8) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\0": scalars.append(contentsOf: ["\u{E000}", "0"])
            case "\u{E000}": scalars.append(contentsOf: [scalar, scalar])
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Creates a text from `bytes`, its stored form. O(length).
    init(postgresText bytes: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard bytes.contains(Self.postgresEscape[0]), Self.needsEscape(utf8) else { return }
        var scalars = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in unicodeScalars {
            if isEscaped {
                isEscaped = false
                scalars.append(scalar == "0" ? "\0" : scalar)
            } else if scalar == "\u{E000}" {
                isEscaped = true
            } else {
                scalars.append(scalar)
            }
        }
        self.init(scalars)
    }

    private static func needsEscape(_ bytes: String.UTF8View) -> Bool {
        let escape = postgresEscape
        var matched = 0
        for byte in bytes {
            if byte == 0 { return true }
            matched = byte == escape[matched] ? matched + 1 : (byte == escape[0] ? 1 : 0)
            if matched == escape.count { return true }
        }
        return false
    }
}

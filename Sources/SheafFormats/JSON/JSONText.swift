/// Writes JSON text that is safe to print on a terminal.
package enum JSONText {
    /// Appends `text` in quotes. It escapes the characters that JSON requires, and those that can
    /// control or mislead a terminal: controls (C0, DEL, C1), the marks and overrides of
    /// bidirectional text, and the two line separators. All other characters stay, so that lists in
    /// any language are readable.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            guard utf8.allSatisfy(isHarmlessASCII) else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if !isPlain {
            for scalar in text.unicodeScalars {
                append(scalar, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns `text` in quotes.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isHarmlessASCII(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        case 0x22, 0x5C: bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
        case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        case 0x0D: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
        case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
        case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
            let digits = String(scalar.value, radix: 16)
            bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
        default: bytes += UTF8.encode(scalar)!
        }
    }
}

extension JSONValue {
    /// The text of a string, or the JSON text of any other value.
    package var asText: String {
        if case .string(let text) = self { return text }
        return json
    }

    /// The JSON text, without white space.
    package var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): JSONText.quoted(text)
        case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(JSONText.quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        }
    }
}

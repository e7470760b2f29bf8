import FoundationEssentials

/// A JSON value. Objects keep the order of their keys, and numbers their spelling, so that reading
/// loses no information.
package enum JSONValue: Hashable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([Self])
    case object([Member])

    package struct Member: Hashable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }
}

/// Reads JSON text (RFC 8259) value by value, so that a long array need not be in memory as a tree.
///
/// Foundation's decoders report neither the line of an error nor the order of an object's keys.
/// This scanner is stricter than some: a lone surrogate is an error, because no text can contain
/// it. Numbers keep their spelling and may be of any size.
package struct JSONScanner {
    /// The maximum nesting depth. Deeper text is refused, because it could overflow the stack.
    package static let depthLimit = 128

    package let bytes: [UInt8]
    /// The offset of the next byte.
    package var offset: Int

    package init(_ data: Data) {
        bytes = [UInt8](data)
        offset = bytes.starts(with: [UInt8].byteOrderMark) ? [UInt8].byteOrderMark.count : 0
    }

    /// Creates an error for `offset`, or for the current position.
    package func error(_ reason: String, at offset: Int? = nil, path: String? = nil) -> FormatError
    {
        let end = min(offset ?? self.offset, bytes.count)
        let line = bytes[..<end].reduce(into: 1) { count, byte in
            if byte == 0x0A { count += 1 }
        }
        return FormatError(line: line, path: path, reason: reason)
    }

    // MARK: Values

    /// Reads the value at the current position.
    package mutating func value(depth: Int = 0) throws(FormatError) -> JSONValue {
        guard depth < Self.depthLimit else { throw error("nested too deeply") }
        switch peek() {
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            try eachMember { (scanner, key) throws(FormatError) in
                members.append(.init(key: key, value: try scanner.value(depth: depth + 1)))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try eachElement { (scanner) throws(FormatError) in
                elements.append(try scanner.value(depth: depth + 1))
            }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            return try number()
        case nil: throw error("unexpected end of the text")
        default: throw error("a value is missing")
        }
    }

    /// Calls `body` at every element of the array at the current position. `body` must read the
    /// element.
    package mutating func eachElement(
        _ body: (inout JSONScanner) throws(FormatError) -> Void
    ) throws(FormatError) {
        try expect("[")
        guard !take("]") else { return }
        while true {
            try body(&self)
            if take("]") { return }
            try expect(",", or: "]")
        }
    }

    /// Calls `body` at every value of the object at the current position, with its key. `body` must
    /// read the value.
    package mutating func eachMember(
        _ body: (inout JSONScanner, String) throws(FormatError) -> Void
    ) throws(FormatError) {
        try expect("{")
        guard !take("}") else { return }
        while true {
            guard peek() == UInt8(ascii: "\"") else { throw error("a key in quotes is missing") }
            let key = try string()
            try expect(":")
            try body(&self, key)
            if take("}") { return }
            try expect(",", or: "}")
        }
    }

    /// Throws an error unless only white space follows.
    package mutating func end() throws(FormatError) {
        guard peek() == nil else { throw error("unexpected text after the end of the list") }
    }

    /// Skips white space and returns the next byte, without consuming it.
    package mutating func peek() -> UInt8? {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return bytes[offset]
            }
        }
        return nil
    }

    // MARK: Tokens

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(
        _ character: Unicode.Scalar, or other: Unicode.Scalar? = nil
    ) throws(FormatError) {
        guard !take(character) else { return }
        guard offset < bytes.count else { throw error("unexpected end of the text") }
        let expected = other.map { "'\(character)' or '\($0)'" } ?? "'\(character)'"
        throw error("\(expected) is missing")
    }

    private mutating func literal(
        _ word: StaticString, _ value: JSONValue
    ) throws(FormatError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        let spelled = bytes[offset...].prefix(length)
        guard spelled.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: length))
        else { throw error("a value is missing") }
        offset += length
        return value
    }

    private mutating func number() throws(FormatError) -> JSONValue {
        let start = offset
        _ = takeByte { $0 == UInt8(ascii: "-") }
        if !takeByte({ $0 == UInt8(ascii: "0") }) { try digits(from: start) }
        if takeByte({ $0 == UInt8(ascii: ".") }) { try digits(from: start) }
        if takeByte({ $0 | 0x20 == UInt8(ascii: "e") }) {
            _ = takeByte { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
            try digits(from: start)
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func digits(from start: Int) throws(FormatError) {
        guard takeByte(\.isASCIIDigit) else { throw error("not a number", at: start) }
        while takeByte(\.isASCIIDigit) {}
    }

    private mutating func takeByte(_ matches: (UInt8) -> Bool) -> Bool {
        guard offset < bytes.count, matches(bytes[offset]) else { return false }
        offset += 1
        return true
    }

    // MARK: Strings

    private mutating func string() throws(FormatError) -> String {
        let opening = offset
        offset += 1
        var start = offset
        var text: [UInt8] = []
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                // Most strings have no escapes, and are created from the source's bytes without an
                // intermediate copy.
                let string =
                    text.isEmpty
                    ? String(validating: bytes[start..<offset], as: UTF8.self)
                    : String(validating: text + bytes[start..<offset], as: UTF8.self)
                guard let string else { throw error("not valid UTF-8") }
                offset += 1
                return string
            case UInt8(ascii: "\\"):
                text += bytes[start..<offset]
                text += try escape()
                start = offset
            case UInt8(ascii: "\n"):
                throw error("a string has no closing quote", at: opening)
            case 0..<0x20:
                throw error("a control character in a string must be escaped")
            default:
                offset += 1
            }
        }
        throw error("a string has no closing quote", at: opening)
    }

    private mutating func escape() throws(FormatError) -> [UInt8] {
        guard offset + 1 < bytes.count else { throw error("unexpected end of the text") }
        let letter = bytes[offset + 1]
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): break
        case UInt8(ascii: "u"): return [UInt8](String(try scalar()).utf8)
        default:
            guard let plain = Self.plainEscapes[letter] else { throw error("an unknown escape") }
            offset += 2
            return [plain]
        }
        offset += 2
        return [letter]
    }

    private static let plainEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// Reads the `\uXXXX` escape at the current position, or the two escapes of a surrogate pair.
    private mutating func scalar() throws(FormatError) -> Unicode.Scalar {
        let start = offset
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, bytes[offset...].starts(with: [0x5C, UInt8(ascii: "u")]) else {
            throw error("half of a surrogate pair", at: start)
        }
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw error("half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(FormatError) -> UInt16 {
        let digits = bytes[offset...].dropFirst(2).prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error("an escape needs four hexadecimal digits") }
        offset += 6
        return unit
    }
}

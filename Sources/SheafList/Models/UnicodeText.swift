import CUtf8proc
import Glibc

/// Normalisation, by utf8proc: neither the standard library nor FoundationEssentials offers it.
extension String {
    /// The text in Normalization Form C (Unicode Standard Annex #15). ASCII, which is most text, is
    /// returned as it is. O(length).
    var precomposed: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        var text = self
        return text.withUTF8 { utf8 in
            var result: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(
                utf8.baseAddress, utf8.count, &result,
                utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue))
            // A text is always valid, so all that can fail is the memory for it.
            guard count >= 0, let result else { return self }
            defer { free(result) }
            return String(
                decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }
}

extension StringProtocol {
    /// The `#`, `+` or `@` that it begins with, or nil. To `first`, a sign and a combining mark
    /// after it are one character.
    var sigil: Unicode.Scalar? {
        unicodeScalars.first.flatMap { "#+@".unicodeScalars.contains($0) ? $0 : nil }
    }

    /// The text without its first scalar.
    var withoutFirstScalar: String { String(String.UnicodeScalarView(unicodeScalars.dropFirst())) }

    /// Returns true if its first scalars are those of `start`.
    func begins(withScalarsOf start: some StringProtocol) -> Bool {
        unicodeScalars.starts(with: start.unicodeScalars)
    }

    /// The text without white space at its ends. U+200B counts as white space, as it always has in
    /// comparisons of tag names: stored names keep their rule.
    public var trimmed: String {
        let isSpace = { (scalar: Unicode.Scalar) in
            scalar.properties.isWhitespace || scalar == "\u{200b}"
        }
        let start = unicodeScalars.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(String.UnicodeScalarView(start[...last]))
    }
}

extension String {
    /// The text with its first letter in upper case: a reason as a message of its own.
    public var sentenceCased: String { prefix(1).uppercased() + dropFirst() }

    /// The lines, divided at each line feed. To `split` CR LF is one character and no line feed.
    public var lines: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    /// Whether the last byte is a line feed. To `hasSuffix` it is none after a carriage return.
    public var endsWithLineFeed: Bool { utf8.last == UInt8(ascii: "\n") }
}

extension String {
    /// Whether there is nothing to read in it.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

import CUtf8proc
import Glibc

/// Normalization. It uses utf8proc, because neither the standard library nor FoundationEssentials
/// offers this.
extension String {
    /// The text in Normalization Form C (Unicode Standard Annex #15). ASCII text, the most common,
    /// is returned unchanged. O(length).
    var precomposed: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        var text = self
        return text.withUTF8 { utf8 in
            var result: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(
                utf8.baseAddress, utf8.count, &result,
                utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue))
            // A Swift string is always valid, so this fails only if memory cannot be allocated.
            guard count >= 0, let result else { return self }
            defer { free(result) }
            return String(
                decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }
}

extension StringProtocol {
    /// The `#`, `+` or `@` at the beginning, or nil. A scalar, because a sign with a combining mark
    /// after it is one `Character`.
    var sigil: Unicode.Scalar? {
        unicodeScalars.first.flatMap { "#+@".unicodeScalars.contains($0) ? $0 : nil }
    }

    /// The text without its first scalar.
    var withoutFirstScalar: String { String(String.UnicodeScalarView(unicodeScalars.dropFirst())) }

    /// Returns true if its first scalars are those of `start`.
    func begins(withScalarsOf start: some StringProtocol) -> Bool {
        unicodeScalars.starts(with: start.unicodeScalars)
    }

    /// The text without white space at its ends. U+200B counts as white space, as in earlier
    /// versions, because stored tag names were compared by this rule.
    package var trimmed: String {
        let isSpace = { (scalar: Unicode.Scalar) in
            scalar.properties.isWhitespace || scalar == "\u{200b}"
        }
        let start = unicodeScalars.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(String.UnicodeScalarView(start[...last]))
    }
}

extension String {
    /// The text with its first letter in upper case, to show a reason as a separate message.
    package var sentenceCased: String { prefix(1).uppercased() + dropFirst() }

    /// The lines, separated by line feeds. `split` would not separate at CR LF, which is one
    /// `Character`.
    package var lines: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    /// True if the last byte is a line feed. `hasSuffix` does not find it after a carriage return.
    package var endsWithLineFeed: Bool { utf8.last == UInt8(ascii: "\n") }
}

extension String {
    /// True if the text has only white space, or is empty.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

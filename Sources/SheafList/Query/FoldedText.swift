import CUtf8proc
import Glibc

/// Text as searching compares it: UTF-8 in which letters have no accents and none is upper case.
///
/// Canonical decomposition without combining marks (those of U+0300 to U+036F, which UTF-8 writes
/// as CC 80 to CD AF), and Unicode's full case folding, both by utf8proc: `gorlitz` is Görlitz, and
/// `strasse` Straße. Letters with a stroke, which Unicode does not decompose, lose it as in fzf
/// (`src/algo/normalize.go`): `lodz` is Łódź. What several scripts need marks for, such as the
/// vowels of Thai, stays.
package enum FoldedText {
    /// The folded bytes of `text`. O(length); ASCII is not looked up anywhere.
    package static func bytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return bytes
    }

    /// The same as text.
    static func text(of text: String) -> String {
        String(decoding: bytes(of: text), as: UTF8.self)
    }

    /// Appends the folded bytes of `text`.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &bytes) }
    }

    /// Appends the folded bytes of `text`, which others may have written: what is not UTF-8 becomes
    /// U+FFFD, as in a `String`.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        // Marks never move past a letter of ASCII, and how one letter is folded does not depend on
        // others: only what is between such letters has to be looked up.
        var start = 0
        while start < text.count {
            let isASCII = text[start] < 0x80
            var end = start + 1
            while end < text.count, (text[end] < 0x80) == isASCII { end += 1 }
            let part = UnsafeBufferPointer(rebasing: text[start..<end])
            if !isASCII {
                appendDecomposed(part, to: &bytes)
            } else {
                bytes.append(contentsOf: part.lazy.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 })
            }
            start = end
        }
    }

    private static func appendDecomposed(
        _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
    ) {
        let options =
            UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
        var result: UnsafeMutablePointer<UInt8>?
        let count = utf8proc_map(
            text.baseAddress, text.count, &result, utf8proc_option_t(options))
        if count == UTF8PROC_ERROR_INVALIDUTF8 {
            return append(String(decoding: text, as: UTF8.self), to: &bytes)
        }
        // Nothing else can fail but the memory for it.
        guard count >= 0, let result else {
            bytes.append(contentsOf: text)
            return
        }
        defer { free(result) }
        var index = 0
        while index < count {
            let byte = result[index]
            // What utf8proc made ends with a zero.
            let next = result[index + 1]
            if isCombiningMark(byte, next) {
                index += 2
            } else if let letter = strokeless(byte, next) {
                bytes.append(letter)
                index += 2
            } else {
                bytes.append(byte)
                index += 1
            }
        }
    }

    /// The letter that two bytes are but for its stroke, or, of an i, but for the missing dot.
    private static func strokeless(_ first: UInt8, _ second: UInt8) -> UInt8? {
        switch (first, second) {
        case (0xC3, 0x98): UInt8(ascii: "O")
        case (0xC3, 0xB8): UInt8(ascii: "o")
        case (0xC4, 0x90): UInt8(ascii: "D")
        case (0xC4, 0x91): UInt8(ascii: "d")
        case (0xC4, 0xA6): UInt8(ascii: "H")
        case (0xC4, 0xA7): UInt8(ascii: "h")
        case (0xC4, 0xB1): UInt8(ascii: "i")
        case (0xC5, 0x81): UInt8(ascii: "L")
        case (0xC5, 0x82): UInt8(ascii: "l")
        case (0xC5, 0xA6): UInt8(ascii: "T")
        case (0xC5, 0xA7): UInt8(ascii: "t")
        default: nil
        }
    }

    /// Whether two bytes are one of U+0300 to U+036F.
    private static func isCombiningMark(_ first: UInt8, _ second: UInt8) -> Bool {
        first == 0xCC || first == 0xCD && second <= 0xAF
    }
}

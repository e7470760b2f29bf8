import CUtf8proc
import Glibc

/// Text in the form that searches compare: UTF-8 in lower case, without accents.
///
/// utf8proc applies canonical decomposition and Unicode's full case folding, and this type removes
/// the combining marks U+0300 to U+036F (CC 80 to CD AF in UTF-8). So `gorlitz` finds Görlitz, and
/// `strasse` finds Straße. Unicode does not decompose letters with a stroke; they lose it as in fzf
/// (`src/algo/normalize.go`), so `lodz` finds Łódź. Marks that other scripts need, such as the
/// vowels of Thai, remain.
package enum FoldedText {
    /// Returns the folded bytes of `text`. O(length); ASCII needs no lookup.
    package static func bytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return bytes
    }

    /// Returns the folded form of `text` as a string.
    static func text(of text: String) -> String {
        String(decoding: bytes(of: text), as: UTF8.self)
    }

    /// Appends the folded bytes of `text`.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &bytes) }
    }

    /// Appends the folded bytes of `text`, which may come from another process. Invalid UTF-8
    /// becomes U+FFFD, as in a `String`.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        // Marks never move past an ASCII letter, and the folding of one letter does not depend on
        // others. So only the runs between ASCII letters need a lookup.
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
        // Any other failure means that memory ran out.
        guard count >= 0, let result else {
            bytes.append(contentsOf: text)
            return
        }
        defer { free(result) }
        var index = 0
        while index < count {
            let byte = result[index]
            // The result of utf8proc ends with a zero byte, so `index + 1` is valid.
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

    /// Returns the ASCII letter for a letter with a stroke, or for the dotless i; `nil` for any
    /// other two bytes.
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

    /// Returns true if the two bytes are one of U+0300 to U+036F.
    private static func isCombiningMark(_ first: UInt8, _ second: UInt8) -> Bool {
        first == 0xCC || first == 0xCD && second <= 0xAF
    }
}

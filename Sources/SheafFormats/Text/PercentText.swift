import SheafList

/// Percent-encoding (RFC 3986, section 2.1) for texts that must be a single word.
///
/// It encodes only controls, spaces, the characters that the caller names, and percent signs that
/// would read as an encoded byte. All other characters stay legible.
enum PercentText {
    /// Returns `text` as one word.
    ///
    /// - Parameters:
    ///   - others: Further ASCII characters that the word must not contain.
    ///   - encodesFirst: True to encode the first byte in any case.
    static func encode(
        _ text: String, without others: String = "", encodesFirst: Bool = false
    ) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEscape = byte == percent && value(bytes[index...]) != nil
            if byte <= 0x20 || byte == 0x7F || isEscape || others.utf8.contains(byte)
                || (encodesFirst && index == 0)
            {
                result += encoded(byte).utf8
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Encodes `name` as a word of a tag. Punctuation at its end is encoded, because it would
    /// otherwise be text after the tag.
    static func encode(
        tag name: String, without others: String = "", encodesFirst: Bool = false
    ) -> String {
        let word = encode(name, without: others, encodesFirst: encodesFirst)
        guard word[...].withoutPunctuation.endIndex < word.endIndex, let last = word.utf8.last
        else { return word }
        return String(word.dropLast()) + encoded(last)
    }

    /// Returns `byte`, encoded.
    private static func encoded(_ byte: UInt8) -> String {
        String(decoding: [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]], as: UTF8.self)
    }

    /// Returns the text that `word` encodes, or `word` itself if the decoded bytes are not valid
    /// UTF-8.
    static func decode(_ word: String) -> String {
        guard word.utf8.contains(percent) else { return word }
        var rest = Array(word.utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.first {
            if byte == percent, let value = value(rest) {
                result.append(value)
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(validating: result, as: UTF8.self) ?? word
    }

    private static let percent = UInt8(ascii: "%")
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns the byte that the first three bytes encode, or `nil` if they are not an escape.
    private static func value(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        let hex = bytes.dropFirst().prefix(2)
        guard hex.count == 2, hex.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            return nil
        }
        return UInt8(String(decoding: hex, as: UTF8.self), radix: 16)
    }
}

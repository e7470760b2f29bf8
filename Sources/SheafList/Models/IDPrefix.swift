import FoundationEssentials

/// The first digits of an id, as users type them: `9b2f`, `9B2F6D0E-1c`, or a complete id.
package struct IDPrefix: Hashable, Sendable {
    /// The reason why a text is not a prefix of an id.
    package enum Failure: Error, Hashable, Sendable {
        case tooShort
        /// The text contains a character other than hexadecimal digits and hyphens, or too many
        /// digits.
        case malformed
    }

    /// The minimum number of digits. Shorter prefixes match too many items.
    package static let minimumDigits = 4
    private static let digitsOfID = 32
    private static let hyphenPlaces = [8, 13, 18, 23]

    /// The ids with the prefix.
    package let range: ClosedRange<UUID>

    /// Parses a prefix in upper or lower case, with or without hyphens.
    ///
    /// - Parameter minimum: The minimum number of digits.
    /// - Throws: ``Failure``.
    package init(_ text: String, minimum: Int = minimumDigits) throws(Failure) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard !digits.isEmpty, text.utf8.first != UInt8(ascii: "-"),
            digits.count <= Self.digitsOfID,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { throw .malformed }
        guard digits.count >= minimum else { throw .tooShort }
        guard let lowest = Self.id(digits, filledWith: "0"),
            let highest = Self.id(digits, filledWith: "f")
        else { throw .malformed }
        range = lowest...highest
    }

    /// True if the prefix is a complete id.
    package var isWhole: Bool { range.lowerBound == range.upperBound }

    /// Returns the number of characters that distinguish the ids from one another, at least eight.
    /// O(n log n).
    package static func distinctLength(of ids: some Sequence<UUID>) -> Int {
        let texts = ids.sorted().map { Array($0.uuidString.utf8) }
        return zip(texts, texts.dropFirst()).reduce(8) { length, pair in
            let common = zip(pair.0, pair.1).prefix { $0 == $1 }.count
            return max(length, min(common + 1, pair.0.count))
        }
    }

    private static func id(_ digits: [UInt8], filledWith filler: String) -> UUID? {
        var text = String(decoding: digits, as: UTF8.self)
        text += String(repeating: filler, count: digitsOfID - digits.count)
        for place in hyphenPlaces {
            text.insert("-", at: text.index(text.startIndex, offsetBy: place))
        }
        return UUID(uuidString: text)
    }
}

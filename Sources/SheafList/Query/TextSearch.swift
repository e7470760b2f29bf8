import FoundationEssentials

/// A text to look for, folded once.
package struct TextSearch: Hashable, Sendable {
    /// Folded UTF-8; empty if nothing is left of the text without accents.
    let bytes: [UInt8]
    /// True if a name or a tag that has its letters in order is found too.
    let isFuzzy: Bool
    /// The tags in whose names it is found.
    private(set) var tags: Set<Tag.ID> = []

    package init(_ text: String, isFuzzy: Bool = false, tags: [Tag] = []) {
        bytes = FoldedText.bytes(of: text)
        self.isFuzzy = isFuzzy
        self.tags = Set(tags.filter { isFound(in: $0.name) }.map(\.id))
    }

    /// True if `name` has the text.
    package func isFound(in name: String) -> Bool {
        let folded = FoldedText.bytes(of: name)
        return isFuzzy
            ? folded.withUnsafeBufferPointer { FuzzyMatch.isFound(bytes, in: $0) }
            : folded.firstRange(of: bytes) != nil
    }
}

/// How well a text is found in a name, by where it stands there.
enum MatchClass {
    static let wholeName: UInt8 = 5
    static let wholeWord: UInt8 = 4
    static let startOfName: UInt8 = 3
    static let startOfWord: UInt8 = 2
    static let inside: UInt8 = 1
    /// In a tag or a note.
    static let elsewhere: UInt8 = 0
    /// Of a row that was found by no text.
    static let none = UInt8.max
    static let count = 6

    /// The class of a text at `range` of a folded name.
    static func of(_ range: Range<Int>, in name: UnsafeBufferPointer<UInt8>) -> UInt8 {
        let isStart = range.lowerBound == 0 || !isWord(name[range.lowerBound - 1])
        let isEnd = range.upperBound == name.count || !isWord(name[range.upperBound])
        switch (isStart, isEnd) {
        case (true, true): return range.count == name.count ? wholeName : wholeWord
        case (true, false): return range.lowerBound == 0 ? startOfName : startOfWord
        case (false, _): return inside
        }
    }

    /// Whether a byte is a letter or a digit, or a part of one.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: true
        default: byte >= 0x80
        }
    }
}

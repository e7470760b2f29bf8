import FoundationEssentials

/// A folded text to search for.
package struct TextSearch: Hashable, Sendable {
    /// Folded UTF-8; empty if the text consists only of accents.
    let bytes: [UInt8]
    /// True if the text also matches names and tags that contain its letters in order.
    let isFuzzy: Bool
    /// The tags whose names contain the text.
    private(set) var tags: Set<Tag.ID> = []

    package init(_ text: String, isFuzzy: Bool = false, tags: [Tag] = []) {
        bytes = FoldedText.bytes(of: text)
        self.isFuzzy = isFuzzy
        self.tags = Set(tags.filter { isFound(in: $0.name) }.map(\.id))
    }

    /// Returns true if `name` contains the text.
    package func isFound(in name: String) -> Bool {
        let folded = FoldedText.bytes(of: name)
        return isFuzzy
            ? folded.withUnsafeBufferPointer { FuzzyMatch.isFound(bytes, in: $0) }
            : folded.firstRange(of: bytes) != nil
    }
}

/// The quality of a match, from the place of the text in a name.
enum MatchClass {
    static let wholeName: UInt8 = 5
    static let wholeWord: UInt8 = 4
    static let startOfName: UInt8 = 3
    static let startOfWord: UInt8 = 2
    static let inside: UInt8 = 1
    /// In a tag or a note.
    static let elsewhere: UInt8 = 0
    /// The class of a row that no text found.
    static let none = UInt8.max
    static let count = 6

    /// Returns the class of a text at `range` of a folded name.
    static func of(_ range: Range<Int>, in name: UnsafeBufferPointer<UInt8>) -> UInt8 {
        let isStart = range.lowerBound == 0 || !isWord(name[range.lowerBound - 1])
        let isEnd = range.upperBound == name.count || !isWord(name[range.upperBound])
        switch (isStart, isEnd) {
        case (true, true): return range.count == name.count ? wholeName : wholeWord
        case (true, false): return range.lowerBound == 0 ? startOfName : startOfWord
        case (false, _): return inside
        }
    }

    /// Returns true if a byte is a letter or a digit, or a part of one.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: true
        default: byte >= 0x80
        }
    }
}

import FoundationEssentials

/// A text to look for, folded once.
package struct TextSearch: Hashable, Sendable {
    enum Rule: Hashable, Sendable {
        /// The letters in order, in a name or a tag; the whole in a note.
        case letters
        /// The whole, in a name, a tag or a note.
        case part
        /// The whole, at the beginning or the end of a name, or at both.
        case start, end, whole
    }

    let rule: Rule
    /// Whether upper and lower case differ: the text has an upper-case letter.
    let heedsCase: Bool
    /// Folded UTF-8; empty if nothing is left of the text without accents, which is everywhere.
    let bytes: [UInt8]
    /// The same as Unicode scalars if any is not ASCII, or else empty.
    let scalars: [UInt32]
    /// The tags that it finds, with their points.
    let tags: [Tag.ID: Int]

    package init(_ term: TextTerm, words: ItemSearch.WordRule, tags: [Tag]) {
        rule =
            switch term.kind {
            case .word: words == .fuzzy ? .letters : .part
            case .part, .excluded: .part
            case .start: .start
            case .end: .end
            case .whole: .whole
            }
        let isBare = term.kind == .word || term.kind == .excluded
        heedsCase = term.text.hasUppercase && !(isBare && words == .part)
        bytes = FoldedText.bytes(of: term.text, keepsCase: heedsCase)
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        scalars = isASCII ? [] : String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
        var found: [Tag.ID: Int] = [:]
        if rule == .letters || rule == .part {
            var matcher = TextMatcher()
            for tag in tags {
                var name = tag.name
                found[tag.id] = name.withUTF8 { [bytes, scalars, rule, heedsCase] in
                    matcher.score(bytes, scalars, rule, in: $0, heedsCase)
                }
            }
        }
        self.tags = found
    }

    /// The most points that anything can have in which it is found.
    var mostPoints: Int {
        FuzzyMatch.mostPoints(rule == .letters && !scalars.isEmpty ? scalars.count : bytes.count)
    }
}

extension TextSearch {
    /// Whether what holds this text holds `other`. A tag may have been renamed in between.
    func narrows(_ other: TextSearch) -> Bool {
        self == other
            || rule == other.rule && (rule == .letters || rule == .part || rule == .start)
                && heedsCase == other.heedsCase && bytes.starts(with: other.bytes)
                && tags.keys.allSatisfy { other.tags[$0] != nil }
    }
}

/// Looks for texts in texts, and keeps its memory for the next.
package struct TextMatcher: Sendable {
    private var fuzzy = FuzzyMatch()
    private var folded: [UInt8] = []
    private var scalars: [UInt32] = []

    package init() {}

    /// The points for `text` in a name, or nil if it is not there.
    package mutating func score(_ text: TextSearch, in name: String) -> Int? {
        var name = name
        return name.withUTF8 { score(text, in: $0) }
    }

    /// The same in the UTF-8 of a name.
    mutating func score(_ text: TextSearch, in name: UnsafeBufferPointer<UInt8>) -> Int? {
        score(text.bytes, text.scalars, text.rule, in: name, text.heedsCase)
    }

    /// Whether all of `text` is in the UTF-8 of a note.
    mutating func isFound(_ text: TextSearch, in note: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !note.isEmpty, text.rule == .letters || text.rule == .part else { return false }
        if !text.heedsCase, text.scalars.isEmpty,
            let isFound = text.bytes.withUnsafeBufferPointer({
                TextPart.isFound($0, inASCII: note)
            })
        {
            return isFound
        }
        return score(text.bytes, text.scalars, .part, in: note, text.heedsCase) != nil
    }

    fileprivate mutating func score(
        _ bytes: [UInt8], _ wanted: [UInt32], _ rule: TextSearch.Rule,
        in name: UnsafeBufferPointer<UInt8>, _ heedsCase: Bool
    ) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        // Most texts lack the word, and to see that they need not be folded.
        if rule == .part, !heedsCase, wanted.isEmpty,
            bytes.withUnsafeBufferPointer({ TextPart.isFound($0, inASCII: name) }) == false
        {
            return nil
        }
        folded.removeAll(keepingCapacity: true)
        FoldedText.append(name, keepsCase: heedsCase, to: &folded)
        if rule == .letters && !wanted.isEmpty {
            scalars.removeAll(keepingCapacity: true)
            scalars.append(
                contentsOf: String(decoding: folded, as: UTF8.self).unicodeScalars.lazy.map(\.value)
            )
            return scalars.withUnsafeBufferPointer { text in
                wanted.withUnsafeBufferPointer { fuzzy.score(of: $0, in: text) }
            }
        }
        return folded.withUnsafeBufferPointer { text in
            bytes.withUnsafeBufferPointer { word in
                if rule == .letters { return fuzzy.score(of: word, in: text) }
                return TextPart.place(of: word, in: text, rule).map {
                    TextPart.score(word.count, at: $0, in: text)
                }
            }
        }
    }
}

/// Finds a text as it is.
enum TextPart {
    /// Whether a folded word of ASCII is in a text, in any case, without folding the text; nil if
    /// that is not ASCII. O(text × word) at worst.
    static func isFound(
        _ word: UnsafeBufferPointer<UInt8>, inASCII text: UnsafeBufferPointer<UInt8>
    ) -> Bool? {
        guard text.reduce(0, { $0 | $1 }) < 0x80 else { return nil }
        guard let first = word.first else { return true }
        guard word.count <= text.count else { return false }
        func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
        for place in 0...(text.count - word.count) where folded(text[place]) == first {
            var matched = 1
            while matched < word.count, folded(text[place + matched]) == word[matched] {
                matched += 1
            }
            if matched == word.count { return true }
        }
        return false
    }

    /// Where `word` stands in `text`, in the place that counts most, or nil. O(text × word) at
    /// worst.
    static func place<Unit: FixedWidthInteger & UnsignedInteger>(
        of word: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>,
        _ rule: TextSearch.Rule
    ) -> Int? {
        guard let first = word.first, word.count <= text.count else {
            return word.isEmpty ? 0 : nil
        }
        let last = text.count - word.count
        func isAt(_ place: Int) -> Bool {
            for index in 1..<max(word.count, 1) where text[place + index] != word[index] {
                return false
            }
            return text[place] == first
        }
        switch rule {
        case .start: return isAt(0) ? 0 : nil
        case .end: return isAt(last) ? last : nil
        case .whole: return last == 0 && isAt(0) ? 0 : nil
        case .letters, .part:
            var best: Int?
            for place in 0...last where text[place] == first && isAt(place) {
                if best == nil { best = place }
                // The beginning of a word is as good as it gets.
                if place == 0 || !text[place - 1].isLetter { return place }
            }
            return best
        }
    }

    /// The points that ``FuzzyMatch`` gives for letters that stand side by side.
    static func score<Unit: FixedWidthInteger & UnsignedInteger>(
        _ count: Int, at place: Int, in text: UnsafeBufferPointer<Unit>
    ) -> Int {
        let previous = place > 0 ? LetterKind(text[place - 1]) : .space
        let bonus = Int(LetterKind(text[place]).bonus(after: previous))
        let each = max(bonus, Int(FuzzyMatch.consecutive))
        return count * Int(FuzzyMatch.matched) + bonus * Int(FuzzyMatch.firstLetterFactor)
            + (count - 1) * each
    }
}

extension FixedWidthInteger {
    /// Whether it is a letter or a digit, or a part of one.
    fileprivate var isLetter: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
        default: self >= 0x80
        }
    }
}

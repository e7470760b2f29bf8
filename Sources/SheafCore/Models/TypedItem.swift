/// What the line of a new item says: a name, and the tags among its words.
///
/// A word is what stands between white space. `#word` is a tag, unless it is a number such as
/// `#12`; a new one too, unless punctuation begins or ends it, as in `#word,` and `#!/bin/sh`.
/// `+word` and
/// `@word` are if the list has that tag, found as a query finds it. A backslash before the sigil
/// keeps such a word as text, and so does its having been pasted: a text from elsewhere means by
/// `#` what it meant there. A line of nothing but tags is a name, for an item has to have one, and
/// one that is longer than anybody types is a text.
public struct TypedItem: Hashable, Sendable {
    /// A word that stands for a tag.
    public struct Word: Hashable, Sendable {
        /// Where it is in the line, in bytes of UTF-8.
        public let place: Range<Int>
        public let label: Label
    }

    public enum Label: Hashable, Sendable {
        case tag(Tag)
        /// The name of a tag that the list does not have yet.
        case new(String)
    }

    /// The words that stand for tags, in their order.
    public let words: [Word]
    /// The line without them, and without the backslashes that keep words as text.
    public let name: String

    /// Reads `text`, of which `pasted` are no tags. O(text), and O(tags) for each word that may be
    /// one.
    init(_ text: String, pasted: PastedParts = PastedParts(), tags: EntityStore<Tag>) {
        var words: [Word] = []
        var escapes: [Range<Int>] = []
        for candidate in Self.candidates(in: text) {
            let place = text.bytes(of: candidate.word)
            guard !pasted.overlaps(place),
                let label = Self.label(of: text[candidate.word], tags)
            else { continue }
            if candidate.isEscaped {
                escapes.append(place.lowerBound - 1..<place.lowerBound)
            } else {
                words.append(Word(place: place, label: label))
            }
        }
        let name = Self.text(text, without: words.map(\.place), escapes)
        if name.isBlank {
            self.words = []
            self.name = Self.text(text, without: [], escapes)
        } else {
            self.words = words
            self.name = name
        }
    }

    // MARK: Words

    /// In longer lines no word is looked at: it would be with every key.
    private static let mostBytes = 4_000

    private struct Candidate {
        let word: Range<String.Index>
        let isEscaped: Bool
    }

    /// The words that begin with a sigil, or with a backslash and a sigil. They are looked for by
    /// their sigils, so that the rest of a long line costs next to nothing.
    private static func candidates(in text: String) -> [Candidate] {
        var found: [Candidate] = []
        guard text.utf8.count <= mostBytes else { return found }
        let scalars = text.unicodeScalars
        var rest = text.startIndex
        while let sigil = text.utf8[rest...].firstIndex(where: { "#+@".utf8.contains($0) }) {
            rest = text.utf8.index(after: sigil)
            var start = sigil
            let isEscaped = sigil > text.startIndex && scalars[scalars.index(before: sigil)] == "\\"
            if isEscaped { start = scalars.index(before: sigil) }
            guard
                start == text.startIndex
                    || scalars[scalars.index(before: start)].properties.isWhitespace
            else { continue }
            let end =
                scalars[sigil...].firstIndex(where: \.properties.isWhitespace) ?? text.endIndex
            found.append(Candidate(word: sigil..<end, isEscaped: isEscaped))
            rest = end
        }
        return found
    }

    private static func label(of word: Substring, _ tags: EntityStore<Tag>) -> Label? {
        let name = word.unicodeScalars.dropFirst()
        let isNew = word.hasPrefix("#")
        // What the number of an issue, or a heading, looks like.
        if isNew, name.first == "#" || !name.contains(where: \.properties.isNamelike) { return nil }
        guard !name.isEmpty else { return nil }
        let fitting = tags.named(by: String(word))
        if let tag = fitting.first, fitting.count == 1 { return .tag(tag) }
        guard isNew, let first = name.first, let last = name.last,
            !first.properties.isPunctuation, !last.properties.isPunctuation
        else { return nil }
        return Tag.name(from: String(word)).map(Label.new)
    }

    // MARK: The rest

    /// `text` without `words`, each of which takes the white space before it along, or at the
    /// beginning what is after it; and without `escapes`.
    private static func text(
        _ text: String, without words: [Range<Int>], _ escapes: [Range<Int>]
    ) -> String {
        guard !words.isEmpty || !escapes.isEmpty else { return text }
        var name = ""
        var rest = 0
        for place in (words + escapes).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            name += text.part(rest..<place.lowerBound)
            rest = place.upperBound
            guard words.contains(place) else { continue }
            name = name.withoutTrailingSpace
            if name.isEmpty { rest += text.part(rest..<text.utf8.count).leadingSpace }
        }
        let end = text.part(rest..<text.utf8.count)
        return words.isEmpty || !end.isBlank ? name + end : name
    }
}

extension EntityStore<Tag> {
    /// The tags that `word`, which begins with a sigil, may mean: the one of this name, sigil and
    /// all; or of the name alone, since any sigil says that a tag follows; or after `#` those that
    /// have the name after a sigil of their own. O(tags).
    func named(by word: String) -> [Tag] { values.named(by: word) }
}

extension [Tag] {
    /// The same of these tags.
    func named(by word: String) -> [Tag] {
        let whole = Tag.fold(word)
        if let tag = first(where: { $0.foldedName == whole }) { return [tag] }
        let bare = Tag.fold(String(word.dropFirst()))
        if let tag = first(where: { $0.foldedName == bare }) { return [tag] }
        guard word.hasPrefix("#") else { return [] }
        return filter { $0.nameWithoutSigil.map(Tag.fold) == bare }
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it makes a word a name rather than a number: neither a digit nor punctuation.
    fileprivate var isNamelike: Bool {
        switch generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber: false
        default: !isPunctuation
        }
    }

    fileprivate var isPunctuation: Bool {
        switch generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}

extension String {
    fileprivate func bytes(of range: Range<String.Index>) -> Range<Int> {
        let start = utf8.distance(from: startIndex, to: range.lowerBound)
        return start..<start + utf8.distance(from: range.lowerBound, to: range.upperBound)
    }

    fileprivate func part(_ bytes: Range<Int>) -> String {
        let start = utf8.index(startIndex, offsetBy: bytes.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: bytes.count)])
    }

    fileprivate var withoutTrailingSpace: String {
        guard let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace }) else {
            return ""
        }
        return String(unicodeScalars[...last])
    }

    /// The bytes of the white space at its beginning.
    fileprivate var leadingSpace: Int {
        unicodeScalars.prefix(while: \.properties.isWhitespace).reduce(0) { $0 + UTF8.width($1) }
    }
}

import Swidux

/// What the line of a new item says: a name, and the tags, days, repeat and priority among its
/// words.
///
/// A word is what stands between white space. `#word` is a tag, unless it is a number such as
/// `#12`; a new one too, unless punctuation begins or ends it, as in `#word,` and `#!/bin/sh`.
/// `+word` and
/// `@word` are if the list has that tag, found as a query finds it. A backslash before the sigil
/// keeps such a word as text, and so does its having been pasted: a text from elsewhere means by
/// `#` what it meant there. So it is with `due:fri`, `t:3d` and `rec:2w`, as todo.txt has them with
/// days as people type them, the first of each that can be understood, and with a priority in
/// parentheses at the beginning, `(A)`. A line of nothing but such words is a name, for an item has
/// to have one, and one that is longer than anybody types is a text.
public struct TypedItem: Hashable, Sendable {
    /// A word that stands for a tag or for another field.
    public struct Word: Hashable, Sendable {
        /// Where it is in the line, in bytes of UTF-8.
        public let place: Range<Int>
        public let label: Label
    }

    public enum Label: Hashable, Sendable {
        case tag(Tag)
        /// The name of a tag that the list does not have yet.
        case new(String)
        case setting(ItemSetting)
    }

    /// The words that stand for something, in their order.
    public let words: [Word]
    /// The line without them, and without the backslashes that keep words as text.
    public let name: String

    /// Reads `text`, of which `pasted` are no tags. O(text), and O(tags) for each word that may be
    /// one.
    package init(
        _ text: String, pasted: PastedParts = PastedParts(), tags: EntityStore<Tag>,
        today: CalendarDay
    ) {
        var words: [Word] = []
        var escapes: [Range<Int>] = []
        for candidate in Self.candidates(in: text) {
            let place = text.bytes(of: candidate.word)
            guard !pasted.overlaps(place),
                let label = Self.label(of: text[candidate.word], tags, today),
                !words.contains(where: { $0.label.isRepeated(by: label) })
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

    /// What stands before the colon in words such as `due:fri`.
    private static let keys = ["due", "t", "rec"]

    /// The words that begin with a sigil or a key, after a backslash too. They are looked for by
    /// their sigils and colons, so that the rest of a long line costs next to nothing.
    private static func candidates(in text: String) -> [Candidate] {
        var found: [Candidate] = []
        guard text.utf8.count <= mostBytes else { return found }
        let scalars = text.unicodeScalars
        var rest = text.startIndex
        if let priority = priority(in: text) {
            found.append(priority)
            rest = priority.word.upperBound
        }
        while let sigil = text.utf8[rest...].firstIndex(where: { "#+@:".utf8.contains($0) }) {
            var word = sigil
            if text.utf8[sigil] == UInt8(ascii: ":"),
                let key = keys.first(where: {
                    text.utf8[rest..<sigil].reversed().starts(with: $0.utf8.reversed())
                })
            {
                word = text.utf8.index(sigil, offsetBy: -key.utf8.count)
            }
            rest = text.utf8.index(after: sigil)
            var start = word
            let isEscaped = word > text.startIndex && scalars[scalars.index(before: word)] == "\\"
            if isEscaped { start = scalars.index(before: word) }
            guard
                start == text.startIndex
                    || scalars[scalars.index(before: start)].properties.isWhitespace
            else { continue }
            let end =
                scalars[sigil...].firstIndex(where: \.properties.isWhitespace) ?? text.endIndex
            found.append(Candidate(word: word..<end, isEscaped: isEscaped))
            rest = end
        }
        return found
    }

    /// A letter in parentheses at the very beginning.
    private static func priority(in text: String) -> Candidate? {
        let isEscaped = text.utf8.first == UInt8(ascii: "\\")
        let rest = text.utf8.dropFirst(isEscaped ? 1 : 0)
        let word = rest.prefix(3)
        guard word.count == 3, word.first == UInt8(ascii: "("), word.last == UInt8(ascii: ")"),
            text.unicodeScalars[word.endIndex...].first?.properties.isWhitespace ?? true
        else { return nil }
        return Candidate(word: word.startIndex..<word.endIndex, isEscaped: isEscaped)
    }

    /// The field that a word sets, or nil if it sets none.
    private static func setting(of word: Substring, today: CalendarDay) -> ItemSetting? {
        if word.utf8.first == UInt8(ascii: "(") {
            return Priority(String(word.dropFirst().dropLast())).map { .priority($0) }
        }
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = String(word[word.utf8.index(after: colon)...])
        do throws(TypedError) {
            switch word[..<colon] {
            case "due": return try TypedDay(value, today: today).day.map { .due($0) }
            case "t": return try TypedDay(value, today: today).day.map { .scheduled($0) }
            case "rec": return try Repeat.typed(value).map { .repeat($0) }
            default: return nil
            }
        } catch {
            return nil
        }
    }

    private static func label(
        of word: Substring, _ tags: EntityStore<Tag>, _ today: CalendarDay
    ) -> Label? {
        guard let sigil = word.sigil else {
            return setting(of: word, today: today).map(Label.setting)
        }
        let name = word.unicodeScalars.dropFirst()
        let isNew = sigil == "#"
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

extension TypedItem.Label {
    /// Whether `other` sets the same field again.
    fileprivate func isRepeated(by other: TypedItem.Label) -> Bool {
        guard case .setting(let setting) = self, case .setting(let later) = other else {
            return false
        }
        return setting.field == later.field
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
    ///
    /// - Parameter fold: maps a name to what it is compared by.
    func named(by word: String, folded fold: (String) -> String = Tag.fold) -> [Tag] {
        let bare = fold(word.withoutFirstScalar)
        // Folding is what takes the time, and every key of a query asks here.
        let folded = map { fold($0.name) }
        var fitting: [Tag] = []
        for name in [fold(word), bare] where fitting.isEmpty {
            fitting = zip(self, folded).filter { $1 == name }.map(\.0)
        }
        if fitting.isEmpty, word.sigil == "#" {
            fitting = filter { $0.nameWithoutSigil.map(fold) == bare }
        }
        // Two processes may give one name at the same time, until storage refuses one of them.
        var names: Set<String> = []
        return fitting.filter { names.insert($0.foldedName).inserted }
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

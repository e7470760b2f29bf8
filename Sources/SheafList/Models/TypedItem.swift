import FoundationEssentials
import Swidux

/// The name, the tags and the fields that a typed text gives an item.
///
/// All texts that a user types for an item are parsed here: a new row, a new name, `sheaf add`.
///
/// A word is a run of characters other than white space. These words are recognized:
///
/// | word | meaning |
/// |---|---|
/// | `#tag` `+tag` `@tag` with a letter after the sign | the tag of that name, or a new one |
/// | `(A)` at the beginning | a priority |
/// | `due:fri` `t:3d` `rec:2w` | a due date, a scheduled date, a repeat; `none` clears it |
///
/// A field is removed from the name, and so is a tag at the beginning or at the end. A tag between
/// other words stays in the name, spelled as ``Tag/word``, and so does a tag with punctuation after
/// it. If a text has only tags and fields, the tags stay in the name; if it has only fields, all of
/// it is the name. A word after a backslash is text; the backslash stays in the name if the word
/// would otherwise stand for a tag of the item. A word in code or in a link is text, too: see
/// ``LiteralSpans``. Pasted words are text, because `#` may have another meaning where they come
/// from. If an item is renamed, the words of its former name are also text.
package struct TypedItem: Hashable, Sendable {
    /// A word that stands for a tag or for another field.
    package struct Word: Hashable, Sendable {
        /// The place of the word in the line, in bytes of UTF-8.
        package let place: Range<Int>
        package let label: Label
        /// True if the word stays in the name.
        fileprivate var isText: Bool

        fileprivate var isSetting: Bool { if case .setting = label { true } else { false } }

        /// The spelling in the name, or nil if the word has none.
        fileprivate var spelling: String? {
            switch label {
            case .tag(let tag): tag.word
            case .new(let name): Tag.label(ofName: name)
            case .setting: nil
            }
        }
    }

    package enum Label: Hashable, Sendable {
        case tag(Tag)
        /// The name of a tag that the list does not have yet.
        case new(String)
        case setting(ItemSetting)
    }

    /// The typed text.
    package let text: String
    /// The words that stand for a tag or a field, in their order.
    package let words: [Word]
    /// The words that have the key of a field but no valid value, such as `due:frii`. They are
    /// text.
    package let unread: [String]
    /// The words for a field that an earlier word sets. They are text.
    private let repeated: [String]
    /// The tags of a renamed item for which its former name had a word and the new name has none.
    package let lostTags: [Tag]
    /// The name: the text without the words that are removed from it.
    package let name: String

    /// Parses the text of a new item, or the new name of `former`. O(text + former name), and
    /// O(tags) if a word may be a tag.
    ///
    /// - Parameters:
    ///   - former: the name of an item that is renamed, and its tags.
    ///   - pasted: the parts of the text that were pasted.
    ///   - given: the tags that a new item gets in addition to those of its text.
    ///   - tags: the tags of the list, which are evaluated once, and only if a word may be a tag.
    package init(
        _ text: String, renaming former: (name: String, tags: [Tag])? = nil, given: [Tag] = [],
        pasted: PastedParts = PastedParts(), tags: @autoclosure () -> KnownTags, today: CalendarDay
    ) {
        var candidates = Self.candidates(in: text)
        if let former { candidates = Self.leavingOut(wordsOf: former.name, candidates, in: text) }
        var reader = WordReader(today: today)
        var words: [Word] = []
        var escapes: [Range<Int>] = []
        let literal = candidates.isEmpty ? nil : LiteralSpans(text.utf8)
        var unread: [String] = []
        var repeated: [String] = []
        for candidate in candidates {
            let place = text.bytes(of: candidate.word)
            guard !pasted.overlaps(place), literal?.contains(place.lowerBound) != true else {
                continue
            }
            guard let word = reader.word(text[candidate.word], tags) else {
                if !candidate.isEscaped, reader.isUnreadable(text[candidate.word]) {
                    unread.append(String(text[candidate.word]))
                }
                continue
            }
            guard !words.contains(where: { $0.label.isRepeated(by: word.label) }) else {
                if !candidate.isEscaped { repeated.append(String(text[candidate.word])) }
                continue
            }
            if candidate.isEscaped {
                escapes.append(place.lowerBound - 1..<place.lowerBound)
            } else {
                let place = place.lowerBound..<place.lowerBound + word.length
                words.append(Word(place: place, label: word.label, isText: word.hasMore))
            }
        }
        let lost = former.map { Self.tags(lostFrom: $0, to: text, words) } ?? []
        if !escapes.isEmpty {
            let carried = given + (former?.tags ?? []).filter { !lost.contains($0) }
            escapes = Self.escapes(escapes, in: text, words.map(\.label), beside: carried)
        }
        Self.markText(&words, of: text)
        var name = Self.name(text, words, escapes)
        if name.isBlank {
            // An item has to have a name.
            for index in words.indices where !words[index].isSetting { words[index].isText = true }
            if !words.contains(where: \.isText) { words = [] }
            name = Self.name(text, words, escapes)
        }
        self.text = text
        self.words = words
        self.name = name
        self.unread = unread
        self.repeated = repeated
        lostTags = lost
    }

    /// True if the text contains more than a name.
    package var hasMoreThanName: Bool { !words.isEmpty || name != text }

    /// The tags that are already in the list.
    package var knownTags: [Tag] {
        words.compactMap { if case .tag(let tag) = $0.label { tag } else { nil } }
    }

    /// The names of tags that are not in the list yet, in their order.
    package var newTagNames: [String] {
        words.compactMap { if case .new(let name) = $0.label { name } else { nil } }
    }

    /// The fields. The dates come before the recurrence, because setting a date clears the day of
    /// the month that a recurrence keeps.
    package var settings: [ItemSetting] {
        let settings = words.compactMap {
            if case .setting(let setting) = $0.label { setting } else { nil }
        }
        return settings.filter { $0.field != .repeat } + settings.filter { $0.field == .repeat }
    }

    /// Returns the meanings of the words, each once, as shown to the user: `new tag +Pets`,
    /// `@phone`, `due Fri 27 Nov`, `every year`; for a value that cannot be read,
    /// `due:frii is no date`; and for lost tags, `without @nas`.
    ///
    /// - Parameter fields: the fields to omit.
    package func meanings(
        today: CalendarDay, except fields: Set<ItemSetting.Field> = []
    ) -> [String] {
        var meanings: [String] = []
        var new: Set<String> = []
        for word in words {
            if case .setting(let setting) = word.label, fields.contains(setting.field) { continue }
            // Upper and lower case name one new tag.
            if case .new(let name) = word.label, !new.insert(Tag.fold(name)).inserted { continue }
            let meaning = word.label.meaning(today: today)
            if !meanings.contains(meaning) { meanings.append(meaning) }
        }
        for word in unread {
            meanings.append("\(word) is no \(word.hasPrefix("rec") ? "repeat" : "date")")
        }
        meanings += repeated.map { "\($0) stays text" }
        return meanings + lostTags.map { "without \($0.label)" }
    }

    /// Returns true if all words of the text after another word would be tags or field values.
    package static func isOnlySettings(_ text: String, today: CalendarDay) -> Bool {
        let name = "x"
        return TypedItem("\(name) \(text)", tags: KnownTags([]), today: today).name == name
    }

    /// Returns true if a word of the text may be a tag. O(text).
    package static func mayHaveTag(_ text: String) -> Bool {
        text.utf8.contains { "#+@".utf8.contains($0) }
    }

    // MARK: Words

    /// The maximum length of a line that is parsed for words, because a longer one would delay
    /// every key.
    private static let maxBytes = 4_000

    private struct Candidate {
        let word: Range<String.Index>
        let isEscaped: Bool

        /// Returns the word with its backslash.
        func whole(in text: String) -> Substring {
            let start = isEscaped ? text.utf8.index(before: word.lowerBound) : word.lowerBound
            return text[start..<word.upperBound]
        }
    }

    /// The fields of words such as `due:fri`, by the keys before the colon.
    fileprivate static let fields: KeyValuePairs<String, ItemSetting.Field> = [
        "due": .due, "t": .scheduled, "rec": .repeat,
    ]

    /// Returns the words that begin with a sigil or a key, also after a backslash. It searches for
    /// sigils and colons, so that the rest of a long line costs almost no time.
    private static func candidates(in text: String) -> [Candidate] {
        var found: [Candidate] = []
        guard text.utf8.count <= maxBytes else { return found }
        let scalars = text.unicodeScalars
        var rest = text.startIndex
        if let priority = priority(in: text) {
            found.append(priority)
            rest = priority.word.upperBound
        }
        while let sigil = text.utf8[rest...].firstIndex(where: { "#+@:".utf8.contains($0) }) {
            var word = sigil
            if text.utf8[sigil] == UInt8(ascii: ":"),
                let (key, _) = fields.first(where: { key, _ in
                    text.utf8[rest..<sigil].reversed().starts(with: key.utf8.reversed())
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

    /// Returns a letter in parentheses at the very beginning.
    private static func priority(in text: String) -> Candidate? {
        let isEscaped = text.utf8.first == UInt8(ascii: "\\")
        let rest = text.utf8.dropFirst(isEscaped ? 1 : 0)
        let word = rest.prefix(3)
        guard word.count == 3, word.first == UInt8(ascii: "("), word.last == UInt8(ascii: ")"),
            text.unicodeScalars[word.endIndex...].first?.properties.isWhitespace ?? true
        else { return nil }
        return Candidate(word: word.startIndex..<word.endIndex, isEscaped: isEscaped)
    }

    /// Returns the candidates that are not words of the former name. If the name has a word twice,
    /// the first two candidates with that word are omitted. Punctuation after a word is ignored.
    private static func leavingOut(
        wordsOf name: String, _ candidates: [Candidate], in text: String
    ) -> [Candidate] {
        guard !candidates.isEmpty else { return [] }
        var left: [Substring: Int] = [:]
        for word in name.split(whereSeparator: \.isWhitespace) {
            left[word.withoutPunctuation, default: 0] += 1
        }
        return candidates.filter { candidate in
            let word = candidate.whole(in: text).withoutPunctuation
            guard let count = left[word], count > 0 else { return true }
            left[word] = count - 1
            return false
        }
    }

    /// Returns the backslashes to remove from the name: those before words that stand for no tag of
    /// the item.
    ///
    /// - Parameters:
    ///   - escapes: the places of all backslashes before words.
    ///   - carried: the tags of the item that no word of the text names.
    private static func escapes(
        _ escapes: [Range<Int>], in text: String, _ labels: [Label], beside carried: [Tag]
    ) -> [Range<Int>] {
        let tags = carried + labels.compactMap(\.namedTag)
        let kept = Tag.escapedWords(of: text, naming: tags).map { word in
            let start = text.index(text.startIndex, offsetBy: word.range.lowerBound)
            return text.utf8.distance(from: text.startIndex, to: start)
        }
        return escapes.filter { !kept.contains($0.lowerBound) }
    }

    /// Marks the tags that stay in the name: see ``Swift/Array/nameRange(isTag:)``.
    private static func markText(_ words: inout [Word], of text: String) {
        guard !words.isEmpty else { return }
        let indices = Dictionary(
            uniqueKeysWithValues: zip(words.map(\.place.lowerBound), words.indices))
        // The place of each word among the recognized ones, or nil for other text.
        let all = text.wordStarts.map { indices[$0] }
            .filter { index in index.map { !words[$0].isSetting } ?? true }
        let range = all.nameRange { index in index.map { !words[$0].isText } ?? false }
        for case let index? in all[range] where words[index].spelling != nil {
            words[index].isText = true
        }
    }

    /// Returns the tags for which the former name has a word and the text has none. O(names ×
    /// tags).
    private static func tags(
        lostFrom former: (name: String, tags: [Tag]), to text: String, _ words: [Word]
    ) -> [Tag] {
        guard text.utf8.count <= maxBytes, !former.tags.isEmpty else { return [] }
        var kept = Set(Tag.words(of: text, naming: former.tags).map(\.tag.id))
        for case .tag(let tag) in words.map(\.label) { kept.insert(tag.id) }
        var lost: [Tag] = []
        for word in Tag.words(of: former.name, naming: former.tags)
        where kept.insert(word.tag.id).inserted {
            lost.append(word.tag)
        }
        return lost
    }

    // MARK: The name

    /// Returns `text` without the backslashes at `escapes` and without the words that are not text.
    /// Also removes the white space before each removed word or, at the beginning, the white space
    /// after it.
    private static func name(
        _ text: String, _ words: [Word], _ escapes: [Range<Int>]
    ) -> String {
        guard !words.isEmpty || !escapes.isEmpty else { return text }
        var name = ""
        var rest = 0
        let changes =
            words.map { (place: $0.place, word: Optional($0)) }
            + escapes.map { (place: $0, word: nil) }
        for (place, word) in changes.sorted(by: { $0.place.lowerBound < $1.place.lowerBound }) {
            name += text.part(rest..<place.lowerBound)
            rest = place.upperBound
            guard let word else { continue }
            if word.isText {
                name += word.spelling ?? text.part(place)
            } else {
                name = name.withoutTrailingSpace
                if name.isEmpty { rest += text.part(rest..<text.utf8.count).leadingSpace }
            }
        }
        let end = text.part(rest..<text.utf8.count)
        return words.contains { !$0.isText } && end.isBlank ? name : name + end
    }
}

/// A reader that finds the meanings of single words.
private struct WordReader {
    let today: CalendarDay
    private var known: KnownTags?

    init(today: CalendarDay) { self.today = today }

    /// Returns the meaning of a word, or nil if it is text. `length` is the number of bytes that
    /// have this meaning; `hasMore` is true if the word has more bytes.
    mutating func word(
        _ word: Substring, _ tags: () -> KnownTags
    ) -> (label: TypedItem.Label, length: Int, hasMore: Bool)? {
        guard word.sigil != nil else {
            return setting(of: word).map { (.setting($0), word.utf8.count, false) }
        }
        let name = word.unicodeScalars.dropFirst()
        guard let first = name.first, let last = name.last, first.properties.isLetter else {
            return nil
        }
        let known = self.known ?? tags()
        self.known = known
        // The name of a tag may also end in punctuation.
        if let tag = known.tag(for: String(word)) { return (.tag(tag), word.utf8.count, false) }
        let bare = word.withoutPunctuation
        let hasMore = bare.utf8.count < word.utf8.count
        if hasMore, let tag = known.tag(for: String(bare)) {
            return (.tag(tag), bare.utf8.count, true)
        }
        let start = word.beginningTag
        let hasRest = start.utf8.count < word.utf8.count
        if hasRest, let tag = known.tag(for: String(start)) {
            return (.tag(tag), start.utf8.count, true)
        }
        guard !(start.unicodeScalars.last ?? last).properties.isPunctuation else { return nil }
        return Tag.name(from: String(start)).map { (.new($0), start.utf8.count, hasRest) }
    }

    /// Returns the field that a word sets, or nil if it sets none.
    private func setting(of word: Substring) -> ItemSetting? {
        if word.utf8.first == UInt8(ascii: "(") {
            return Priority(String(word.dropFirst().dropLast())).map { .priority($0) }
        }
        do throws(TypedError) {
            return try value(of: word)
        } catch {
            return nil
        }
    }

    /// Returns true if the word has the key of a field, but a value that the field cannot have.
    func isUnreadable(_ word: Substring) -> Bool {
        do throws(TypedError) {
            _ = try value(of: word)
            return false
        } catch {
            return true
        }
    }

    /// Returns the field that a word such as `due:fri` sets, or that `due:none` clears; nil if the
    /// word has no key or no value.
    ///
    /// - Throws: ``TypedError`` if the word has a key and a value that cannot be read.
    private func value(of word: Substring) throws(TypedError) -> ItemSetting? {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = String(word[word.utf8.index(after: colon)...])
        guard !value.isEmpty,
            let (_, field) = TypedItem.fields.first(where: { $0.key == word[..<colon] })
        else { return nil }
        return try ItemSetting(field, typed: value, today: today)
    }
}

extension TypedItem.Label {
    /// The tag that the word names. A new tag gets a random id, which no list contains.
    fileprivate var namedTag: Tag? {
        switch self {
        case .tag(let tag): tag
        case .new(let name): Tag(id: UUID.random(), name: name, color: .white, rank: .middle)
        case .setting: nil
        }
    }

    /// Returns true if `other` sets the same field.
    fileprivate func isRepeated(by other: TypedItem.Label) -> Bool {
        guard case .setting(let setting) = self, case .setting(let later) = other else {
            return false
        }
        return setting.field == later.field
    }

    /// Returns the meaning as shown to the user.
    fileprivate func meaning(today: CalendarDay) -> String {
        switch self {
        case .tag(let tag): tag.label
        case .new(let name): "new tag \(Tag.label(ofName: name))"
        case .setting(let setting): setting.brief(today: today)
        }
    }
}

extension Item {
    /// Gives the item the name, the tags and the fields of a typed text. Removes tags whose words
    /// are missing from the new name.
    ///
    /// - Parameter tags: the ids of the tags that the text names, new ones included.
    package mutating func apply(_ typed: TypedItem, tags: [Tag.ID]) {
        name = typed.name
        self.tags.subtract(typed.lostTags.map(\.id))
        self.tags.formUnion(tags)
        for setting in typed.settings { setting.apply(to: &self) }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isLetter: Bool {
        switch generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            true
        default: false
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

    /// The offsets, in bytes of UTF-8, at which the words begin.
    fileprivate var wordStarts: [Int] {
        var starts: [Int] = []
        var (offset, isInWord) = (0, false)
        for scalar in unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            if !isSpace, !isInWord { starts.append(offset) }
            isInWord = !isSpace
            offset += UTF8.width(scalar)
        }
        return starts
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

    /// The number of bytes of the white space at the beginning.
    fileprivate var leadingSpace: Int {
        unicodeScalars.prefix(while: \.properties.isWhitespace).reduce(0) { $0 + UTF8.width($1) }
    }
}

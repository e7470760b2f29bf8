import SheafList

/// A word of a task's description, classified by its meaning.
///
/// - `+project` and `@context` are tags whose names keep the sigil. A tag without a sigil is
///   written as `@name`. Characters that a word cannot contain are percent-encoded: `@to%20read`. A
///   tag followed by punctuation is text: see ``tag(inText:known:)``.
/// - `key:value` is a pair: letters, digits, `_` and `-` after a first letter, one colon, and a
///   value that does not begin with `//`, because that is a URL. Only the value of a field may
///   contain further colons, so `url:https://example.org` is text. In a line, a pair is text unless
///   its key names a field or is one of ``programKeys``: see ``inLine(_:pairs:)``. Any other pair
///   is written as `extra:key=value`, percent-encoded.
/// - Any other word is text. A backslash before a tag or a pair, which former versions wrote, marks
///   it as text.
enum TodoWord: Equatable {
    case text(String)
    case tag(String)
    case pair(Item.Extra)
    /// `note:`, the item's note.
    case note(String)
    /// `name:`, the name, if the text cannot spell it.
    case name(String)

    /// The key of the word that holds the note, percent-encoded.
    static let noteKey = "note"
    /// The key of the word that holds a name that the description cannot spell, percent-encoded.
    static let nameKey = "name"
    /// The key of the words for pairs that do not have the form of a word.
    static let extraKey = "extra"
    /// The key of a priority that is written as a word, or is among the extras.
    static let priorityKey = "pri"
    /// The keys of pairs that only programs read: `h:1` hides a task; the others identify tasks and
    /// link them to each other.
    static let programKeys: Set<String> = ["dep", "h", "id", "p", "uuid"]

    private static let backslash = UInt8(ascii: "\\")

    init(_ word: String, fields: [TodoTask.PairField] = TodoTask.fields) {
        if let tag = Self.tag(in: word) {
            self = .tag(tag)
        } else if let pair = Self.pair(in: word, fields) {
            self = Self.meaning(of: pair, in: word)
        } else if word.utf8.first == Self.backslash, Self.isSpecial(Self.bare(word), fields) {
            self = .text(String(decoding: word.utf8.dropFirst(), as: UTF8.self))
        } else {
            self = .text(word)
        }
    }

    private static func meaning(of pair: Item.Extra, in word: String) -> Self {
        switch pair.key {
        case noteKey where !isExtra(word): .note(pair.value)
        case nameKey where !isExtra(word): .name(pair.value)
        default: .pair(pair)
        }
    }

    /// Returns the meaning of a word of a line. A pair that no field can store is text, so that
    /// `issue:42` stays in the name. A pair with an invalid value, such as `due:2026-02-30`, is
    /// text, too. The word for a name counts only if it contains an encoded character, because
    /// Sheaf writes no others.
    ///
    /// - Parameter pairs: Extras of the item, which are pairs in its line, too. Former versions
    ///   kept every pair as an extra.
    static func inLine(_ word: String, pairs: Set<Item.Extra> = []) -> Self {
        let meaning = Self(word)
        switch meaning {
        case .pair(let pair):
            let isPair =
                isExtra(word) || programKeys.contains(pair.key)
                || TodoTask.isField(pair) || pairs.contains(pair)
            return isPair ? meaning : .text(word)
        case .name(let name):
            let isPair =
                word.utf8.contains(UInt8(ascii: "%"))
                || pairs.contains(Item.Extra(key: nameKey, value: name))
            return isPair ? meaning : .text(word)
        case .text, .tag, .note: return meaning
        }
    }

    /// Returns the word for the tag with that name.
    static func written(tag name: String) -> String {
        PercentText.encode(tag: hasSigil(name) ? name : "@" + name)
    }

    /// Returns `word`, a word of a name, as a line spells it: `#car` becomes `@car` if `car` is one
    /// of `bareTags`.
    static func written(name word: String, bareTags: Set<String>) -> String {
        guard word.utf8.first == UInt8(ascii: "#") else { return word }
        let name = word.dropFirst()
        for tag in [name, name.withoutPunctuation] where bareTags.contains(Tag.fold(String(tag))) {
            return written(tag: String(tag)) + name[tag.endIndex...]
        }
        return word
    }

    /// Returns `word`, a word of a name, without the backslash that keeps it from spelling one of
    /// `tags`, which are folded names. A line has no escapes.
    static func unescaped(_ word: String, from tags: Set<String>) -> String {
        let rest = bare(word)
        guard rest.utf8.count < word.utf8.count else { return word }
        let tag =
            rest.utf8.first == UInt8(ascii: "#")
            ? "@\(String(decoding: rest[...].beginningTag.utf8.dropFirst(), as: UTF8.self))"
            : tag(inText: rest, known: tags)
        guard let tag, tags.contains(folded(tag: tag)) else { return word }
        return String(decoding: word.utf8.dropFirst(), as: UTF8.self)
    }

    /// Returns the key that identifies a tag, in a line or in a list: the name with its sigil,
    /// folded and without the trailing white space that a word may have and a list's names do not.
    static func folded(tag name: String) -> String {
        Tag.fold(hasSigil(name) && name.trimmed.utf8.count > 1 ? name : "@" + name)
    }

    /// Returns the word for `extra`.
    static func written(_ extra: Item.Extra) -> String {
        if programKeys.contains(extra.key) || TodoTask.isField(extra), !extra.value.isEmpty,
            !extra.value.utf8.starts(with: "//".utf8)
        {
            return pair(extra.key, extra.value)
        }
        let key = PercentText.encode(
            extra.key, without: ":=", encodesFirst: extra.key.utf8.starts(with: "//".utf8))
        return "\(extraKey):\(key)=\(PercentText.encode(extra.value, without: ":"))"
    }

    /// Returns the word `key:value`, with the value encoded so that it does not read as a URL.
    static func pair(
        _ key: String, _ value: String, fields: [TodoTask.PairField] = TodoTask.fields
    ) -> String {
        let value = PercentText.encode(
            value, without: isValue(value, of: key, fields) ? "" : ":",
            encodesFirst: value.utf8.starts(with: "//".utf8))
        return "\(key):\(value)"
    }

    // MARK: Syntax

    /// Returns `word` without the backslashes in front.
    private static func bare(_ word: String) -> String {
        guard word.utf8.first == backslash else { return word }
        return String(decoding: word.utf8.drop { $0 == backslash }, as: UTF8.self)
    }

    /// Returns true if the word has the form `extra:key=value`.
    private static func isExtra(_ word: String) -> Bool {
        word.utf8.starts(with: "\(extraKey):".utf8) && word.utf8.contains(UInt8(ascii: "="))
    }

    private static func isSpecial(_ word: String, _ fields: [TodoTask.PairField]) -> Bool {
        hasSigil(word) || pair(in: word, fields) != nil
    }

    private static func isValue(
        _ text: String, of key: String, _ fields: [TodoTask.PairField]
    ) -> Bool {
        text.utf8.contains(UInt8(ascii: ":"))
            && fields.contains { $0.key == key && $0.accepts(text) }
    }

    static func hasSigil(_ word: some StringProtocol) -> Bool {
        guard let first = word.utf8.first, word.utf8.count > 1 else { return false }
        return first == UInt8(ascii: "+") || first == UInt8(ascii: "@")
    }

    private static func tag(in word: String) -> String? {
        hasSigil(word) && word[...].withoutPunctuation.endIndex == word.endIndex
            ? PercentText.decode(word) : nil
    }

    /// Returns the name of the tag at the beginning of `word`, which is text: `@nas` for `@nas,`.
    /// Returns the whole word if only that is a tag in `known`, which contains folded names.
    static func tag(inText word: String, known: Set<String>) -> String? {
        guard hasSigil(word) else { return nil }
        let whole = PercentText.decode(word)
        let start = word[...].withoutPunctuation
        let name = hasSigil(start) ? PercentText.decode(String(start)) : nil
        if known.contains(folded(tag: whole)),
            name.map({ !known.contains(folded(tag: $0)) }) ?? true
        {
            return whole
        }
        return name
    }

    /// Returns the name of the tag that former versions read in `word`. Those versions did not
    /// separate punctuation from a tag.
    static func formerTag(in word: String) -> String? {
        hasSigil(word) ? PercentText.decode(word) : nil
    }

    private static func pair(in word: String, _ fields: [TodoTask.PairField]) -> Item.Extra? {
        let parts = word.utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count == 2, isKey(parts[0]), !parts[1].isEmpty,
            !parts[1].utf8.starts(with: "//".utf8),
            !parts[1].utf8.contains(UInt8(ascii: ":")) || isValue(parts[1], of: parts[0], fields)
        else { return nil }
        let equals = UInt8(ascii: "=")
        if parts[0] == extraKey, let split = parts[1].utf8.firstIndex(of: equals) {
            let value = parts[1].utf8[split...].dropFirst()
            return Item.Extra(
                key: PercentText.decode(String(decoding: parts[1].utf8[..<split], as: UTF8.self)),
                value: PercentText.decode(String(decoding: value, as: UTF8.self)))
        }
        return Item.Extra(key: parts[0], value: PercentText.decode(parts[1]))
    }

    private static func isKey(_ text: String) -> Bool {
        let others = [UInt8(ascii: "-"), UInt8(ascii: "_")]
        return text.utf8.first.map(\.isASCIILetter) ?? false
            && text.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || others.contains($0)
            }
    }
}

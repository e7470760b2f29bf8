import FoundationEssentials
import SheafList

/// The text of an item's line after its box.
///
///     The name #tag #to%20read due:2026-03-06 <!-- sheaf: {"extras": [["key", "value"]]} --> ^link
///     The name <!-- no tag -->
///
/// Words that begin with `#` are tags. Tags at the beginning and at the end are not part of the
/// name; tags within it are, and so is a tag that several words spell. A backslash before a `#`
/// makes the word text. The name keeps the backslash only if the item has that tag. Words in code
/// and in links are text: see ``LiteralSpans``. Words at the end may also be fields: see
/// ``MarkdownTail``. A comment stores values that the line cannot spell: `extras`, and a `name` or
/// `note` if the text cannot represent it. Another comment marks a heading that is not a tag of the
/// item.
struct MarkdownItem {
    private(set) var name: String
    private(set) var note: String?
    /// The names of the tags outside the name, in their order.
    private(set) var tags: [String] = []
    /// True if the heading above the line is a tag of the item.
    private(set) var isBelowHeading: Bool
    /// The number of ``tags`` at the beginning of the line.
    private(set) var firstTagCount = 0
    /// The names of the tags that are words of the name.
    private(set) var namedTags: [String] = []
    private(set) var extras: [Item.Extra] = []
    /// True if fields of the line are signs of the Tasks plugin.
    private(set) var hasSigns = false
    /// The creation day and the completion day; `nil` if the line does not have them.
    private(set) var createdOn: CalendarDay?
    private(set) var doneOn: CalendarDay?
    /// The fields that the line or the comment sets.
    private(set) var imported: ImportedItem?
    /// The fields whose values are invalid, as the line spells them.
    private(set) var unread: [String] = []
    /// The recurrences that name a day: see ``MarkdownTail/movableDays``.
    private(set) var movableDays: [String] = []

    /// - Parameter heading: The heading above the line, with its mark, if it is a tag.
    init(_ bullet: MarkdownSyntax.Bullet, heading: String? = nil) {
        let (bytes, hidden, isUntagged, trailer) = Self.splitTrailer(Array(bullet.text.utf8)[...])
        isBelowHeading = heading != nil && !isUntagged
        let words = Self.words(bytes)
        let literal = LiteralSpans(bytes)
        let nameCount = hidden?.name.flatMap { Self.count(of: $0, in: words, literal) }
        let tail = MarkdownTail(words, literal, nameCount: nameCount, box: bullet.box)
        let repeated = Self.repeatedTags(in: words, at: tail.rest, literal)
        let isTag = { (place: Int) in
            guard !literal.contains(words[place]), let tag = MarkdownSyntax.tag(words[place]) else {
                return false
            }
            return repeated.isEmpty || !repeated.contains(Tag.fold(tag))
        }
        var range = tail.rest.nameRange(isTag: isTag)
        if let nameCount {
            range = 0..<max(nameCount, (tail.rest.lastIndex { !isTag($0) } ?? -1) + 1)
        }
        var seen: Set<String> = []
        for (place, word) in tail.rest.enumerated()
        where !range.contains(place) && !literal.contains(words[word]) {
            if let tag = MarkdownSyntax.tag(words[word]), seen.insert(tag).inserted {
                tags.append(tag)
                if place < range.lowerBound { firstTagCount += 1 }
            }
        }
        namedTags = tail.rest[range].filter { !literal.contains(words[$0]) }
            .compactMap { MarkdownSyntax.tag(inText: words[$0]) }
        var carried: Set<String> = []
        if bytes.contains(Self.backslash) {
            let title = isBelowHeading ? heading.flatMap(MarkdownSpelling.tag(ofHeading:)) : nil
            carried = Set((tags + namedTags + [title].compactMap(\.self)).map(Tag.fold))
        }
        let isEscaped = nameCount == nil && Self.isEscapedField(words[..<tail.start], literal)
        name = Self.name(
            of: tail.rest[range], in: words, bytes,
            escaped: isEscaped ? tail.start - 1 : nil
        ) { literal.contains($0) ? $0 : Self.unescaped($0, except: carried) }
        if let exact = hidden?.name,
            Self.words(Array(exact.utf8)[...]) == Self.words(Array(name.utf8)[...])
        {
            name = exact
        }
        note = hidden?.item.note
        (createdOn, doneOn) = (tail.createdOn, tail.doneOn)
        (unread, movableDays) = (tail.unread, tail.movableDays)
        let firstTags = tags.prefix(firstTagCount).map(MarkdownSyntax.word(forTag:))
        let spelling = MarkdownSpelling(
            heading: isBelowHeading ? heading ?? "" : "",
            firstTags: firstTags.joined(separator: " "), box: bullet.box, tail.signs,
            trailer: trailer)
        hasSigns = !tail.signs.isEmpty
        extras = spelling.extras + tail.extras
        extras += MarkdownSpelling.others(hidden?.item.extras ?? [])
        guard hidden != nil || !tail.fields.isEmpty else { return }
        imported = hidden?.item ?? ImportedItem(name: name)
        imported?.copy(tail.fields, from: tail.item)
    }

    // MARK: Words

    private static let backslash = UInt8(ascii: "\\")

    /// Returns the words of `bytes`, as slices of them.
    static func words(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    /// Returns the number of words in `name` if `words` begin with it. These words are then neither
    /// tags nor fields.
    private static func count(
        of name: String, in words: [ArraySlice<UInt8>], _ literal: LiteralSpans
    ) -> Int? {
        let named = Self.words(Array(name.utf8)[...])
        let isNamed =
            words.count >= named.count
            && zip(words, named).allSatisfy { word, name in
                word == name || !literal.contains(word) && unescaped(word, except: []) == name
            }
        return isNamed ? named.count : nil
    }

    /// Returns the folded names of the tags that several of the words at `places` spell. An export
    /// writes a tag once beside the name, so all of these words belong to the name.
    private static func repeatedTags(
        in words: [ArraySlice<UInt8>], at places: [Int], _ literal: LiteralSpans
    ) -> Set<String> {
        let tagPlaces = places.filter { words[$0].first == UInt8(ascii: "#") }
        guard tagPlaces.count > 1 else { return [] }
        let tagWords = tagPlaces.map { words[$0] }.filter { !literal.contains($0) }
        var (seen, repeated): (Set<String>, Set<String>) = ([], [])
        for word in tagWords {
            let tag = MarkdownSyntax.tag(word) ?? MarkdownSyntax.tag(inText: word)
            guard let folded = tag.map(Tag.fold) else { continue }
            if !seen.insert(folded).inserted { repeated.insert(folded) }
        }
        return repeated
    }

    /// Returns the name that the words of `bytes` at `places` form, with the white space between
    /// them.
    ///
    /// - Parameters:
    ///   - escaped: The place of the word that loses a backslash before a field.
    ///   - unescaped: Returns a word without the backslash that marks it as text.
    private static func name(
        of places: ArraySlice<Int>, in words: [ArraySlice<UInt8>], _ bytes: ArraySlice<UInt8>,
        escaped: Int?, _ unescaped: (ArraySlice<UInt8>) -> ArraySlice<UInt8>
    ) -> String {
        var name: [UInt8] = []
        var last: Int?
        for place in places {
            if let last, last + 1 == place {
                name += bytes[words[last].endIndex..<words[place].startIndex]
            } else if last != nil {
                name.append(0x20)
            }
            name += place == escaped ? words[place].dropFirst() : unescaped(words[place])
            last = place
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// Returns `word` without the backslash that marks it as text, unless it would then spell one
    /// of `tags`, the folded names of the item's tags.
    private static func unescaped(
        _ word: ArraySlice<UInt8>, except tags: Set<String>
    ) -> ArraySlice<UInt8> {
        isEscapedTag(word) && !isEscaped(word, from: tags) ? word.dropFirst() : word
    }

    /// Returns true if `word` begins with a backslash, and would otherwise spell one of `tags`,
    /// which are folded names.
    static func isEscaped(_ word: ArraySlice<UInt8>, from tags: Set<String>) -> Bool {
        guard word.first == backslash else { return false }
        return MarkdownSyntax.tag(inText: word.drop { $0 == backslash })
            .map { tags.contains(Tag.fold($0)) } ?? false
    }

    private static func isEscapedTag(_ word: ArraySlice<UInt8>) -> Bool {
        word.first == backslash && MarkdownSyntax.isTag(word.drop { $0 == backslash })
    }

    /// Returns `word` with a further backslash if it would otherwise be read as a tag or lose a
    /// backslash.
    static func escaped(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        MarkdownSyntax.isTag(word) || isEscapedTag(word) ? [backslash] + word : word
    }

    /// Returns true if a backslash marks the last word as text that would otherwise be a field.
    /// Former versions wrote such a backslash.
    private static func isEscapedField(
        _ words: ArraySlice<ArraySlice<UInt8>>, _ literal: LiteralSpans
    ) -> Bool {
        guard let last = words.last, last.first == backslash, !isEscapedTag(last) else {
            return false
        }
        let bare = words.dropLast() + [last.drop { $0 == backslash }]
        return !MarkdownTail(Array(bare), literal, nameCount: 0, box: "x").isEmpty
    }

    // MARK: Comments

    private static let commentStart = "<!-- sheaf: "
    private static let commentEnd = " -->"

    /// Splits off the comments and the link at the end of `bytes`. Returns the text before them;
    /// the fields in a comment of Sheaf; true if a comment marks the heading as not a tag; and the
    /// other comments with the link.
    static func splitTrailer(
        _ bytes: ArraySlice<UInt8>
    ) -> (
        text: ArraySlice<UInt8>, hidden: (item: ImportedItem, name: String?)?, isUntagged: Bool,
        trailer: String
    ) {
        var rest = bytes
        var hidden: (item: ImportedItem, name: String?)?
        var end = bytes.endIndex
        while let start = MarkdownSyntax.startOfTrailer(rest) {
            let part = rest[start...]
            let isUntagged = part.elementsEqual(MarkdownReader.noTag.utf8)
            if hidden != nil, !isUntagged { break }
            rest = rest[..<start]
            while let last = rest.last, MarkdownSyntax.isBlank(last) { rest.removeLast() }
            if isUntagged, !rest.isEmpty { return (rest, hidden, true, text(bytes[end...])) }
            hidden = Self.hidden(in: part)
            if hidden == nil { end = rest.endIndex }
        }
        return rest.isEmpty && hidden == nil
            ? (bytes, nil, false, "") : (rest, hidden, false, text(bytes[end...]))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        MarkdownSyntax.trimmed(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the comment that stores `fields` of `item`, or an empty string if there are no
    /// fields.
    static func comment(_ fields: [Field<Item>], of item: Item) -> String {
        guard !fields.isEmpty else { return "" }
        var bytes: [UInt8] = []
        EntityJSON(fields, hasID: false).append(item, to: &bytes)
        // The JSON must not begin or end a comment.
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("<", with: "\\u003c").replacing(">", with: "\\u003e")
        return commentStart + text + commentEnd
    }

    /// Returns the fields in a comment of Sheaf, or `nil` if `bytes` are not such a comment.
    private static func hidden(
        in bytes: ArraySlice<UInt8>
    ) -> (item: ImportedItem, name: String?)? {
        let start = commentStart.utf8
        guard bytes.starts(with: start), bytes.suffix(4).elementsEqual(commentEnd.utf8) else {
            return nil
        }
        var scanner = JSONScanner(Data(bytes.dropFirst(start.count).dropLast(4)))
        do throws(FormatError) {
            guard case .object(var members) = try scanner.value() else { return nil }
            try scanner.end()
            let hasName = members.contains { $0.key == "name" }
            if !hasName { members.append(.init(key: "name", value: .string("-"))) }
            var fields = try JSONFields(members, path: "")
            let item = try fields.item()
            return (item, hasName ? item.name : nil)
        } catch {
            return nil
        }
    }
}

extension LiteralSpans {
    /// Returns true if `word`, a slice of the bytes of the text, begins in a span.
    func contains(_ word: ArraySlice<UInt8>) -> Bool { contains(word.startIndex) }
}

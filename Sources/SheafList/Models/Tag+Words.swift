/// A word of a name that stands for one of the item's tags: `@nas` in `host on @nas (nginx)`.
///
/// The word has the tag's sigil: `+x` and `@x` stand for the tags `+x` and `@x`, and `#x` for the
/// tag `x`. Case does not matter. The name keeps the word as it was typed; nothing else is stored.
/// A word in code or in a link stands for no tag: see ``LiteralSpans``. Nor does a word after a
/// backslash. The name keeps the backslash only if the item has the tag: if it has no tag `x`, a
/// typed `\#x` becomes `#x`.
extension Tag {
    package struct Word: Equatable, Sendable {
        /// The offsets of its characters in the name, without punctuation after it.
        package var range: Range<Int>
        package var tag: Tag
    }

    /// The word that stands for the tag in a name, or nil if the tag's name is not a single word.
    package var word: String? {
        name.isEmpty || name.contains(where: \.isWhitespace) ? nil : label
    }

    /// The maximum length, in bytes, of names that are searched for words. Views search the names
    /// in every frame, so long ones would delay it.
    private static let maxNameBytes = 4_000

    /// Returns the words of `name` that stand for one of `tags`. O(name × tags).
    package static func words(of name: String, naming tags: [Tag]) -> [Word] {
        words(of: name, naming: tags, areEscaped: false)
    }

    /// Returns the words of `name` that would stand for one of `tags` without the backslashes
    /// before them. The ranges begin with the backslashes. O(name × tags).
    package static func escapedWords(of name: String, naming tags: [Tag]) -> [Word] {
        guard name.utf8.contains(UInt8(ascii: "\\")) else { return [] }
        return words(of: name, naming: tags, areEscaped: true)
    }

    private static func words(
        of name: String, naming tags: [Tag], areEscaped: Bool
    ) -> [Word] {
        guard !tags.isEmpty, name.utf8.count <= maxNameBytes,
            name.utf8.contains(where: { "+@#".utf8.contains($0) })
        else { return [] }
        var words: [Word] = []
        let literal = LiteralSpans(name.utf8)
        var tagsByWord: [String: Tag]?
        var place = 0
        for whole in name.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
            defer { place += whole.count + 1 }
            let part = areEscaped ? whole.drop { $0 == "\\" } : whole
            let backslashes = whole.count - part.count
            guard part.sigil != nil, backslashes > 0 || !areEscaped,
                !literal.contains(
                    name.utf8.distance(from: name.startIndex, to: part.startIndex))
            else { continue }
            if tagsByWord == nil {
                let pairs = tags.compactMap { tag in tag.word.map { (fold($0), tag) } }
                tagsByWord = Dictionary(pairs) { first, _ in first }
            }
            // The name of a tag may end in punctuation, too.
            for word in [part, part.withoutPunctuation, part.beginningTag] {
                guard let tag = tagsByWord?[fold(String(word))] else { continue }
                words.append(Word(range: place..<place + backslashes + word.count, tag: tag))
                break
            }
        }
        return words
    }
}

extension Substring {
    /// The characters that end a tag within a word.
    private static let ends = ",;#()[]{}<>*=$|\"`"

    /// The beginning of a word up to the end of its tag: `#a` for `#a,#b` and `@nas` for `@nas.`.
    package var beginningTag: Substring {
        let end = dropFirst().firstIndex { Self.ends.contains($0) }
        return self[..<(end ?? endIndex)].withoutPunctuation
    }

    /// The word without punctuation at its end: `@nas` for `@nas,` and `@nas**`.
    package var withoutPunctuation: Substring {
        prefix(upTo: lastIndex { !".,;:!?)]*".contains($0) }.map(index(after:)) ?? startIndex)
    }
}

extension Item {
    /// Returns true if renaming a tag changes the name of the item or its extras: see
    /// ``replace(_:with:)``. O(name).
    package func isRewritten(byRenaming tag: Tag, to renamed: Tag) -> Bool {
        guard tags.contains(tag.id) else { return false }
        var item = self
        item.replace(tag, with: renamed)
        return !item.name.utf8.elementsEqual(name.utf8) || item.extras != extras
    }

    /// Returns true if the item has the tag, and a word of its name stands for it. O(name).
    package func hasWord(for tag: Tag) -> Bool {
        tags.contains(tag.id) && !Tag.words(of: name, naming: [tag]).isEmpty
    }

    /// Removes a tag. Words of the name that stand for it lose their sigils, and words that would
    /// stand for it without a backslash lose the backslash. O(name).
    package mutating func remove(_ tag: Tag) {
        guard tags.remove(tag.id) != nil else { return }
        replaceWords(naming: tag, with: nil, isNew: false)
    }

    /// Replaces a tag with another one, or with the same tag under another name. Words of the name
    /// that stand for the old tag become words for the new one. If the new tag's name is not a
    /// single word, they only lose their sigils. This function adds or removes backslashes, so that
    /// words that stood for no tag still stand for none. It also replaces the tag in the heading
    /// and the first tags of a Markdown line and, if only the case of the tag's name changes, in
    /// the line of a todo.txt. O(name).
    package mutating func replace(_ tag: Tag, with other: Tag) {
        guard tags.remove(tag.id) != nil else { return }
        let isNew = tags.insert(other.id).inserted
        replaceWords(naming: tag, with: other, isNew: isNew)
        for index in extras.indices {
            if let extra = extras[index].replacing(tag, with: other) { extras[index] = extra }
        }
    }

    /// - Parameter isNew: True if the item did not have the tag `other` before.
    private mutating func replaceWords(naming tag: Tag, with other: Tag?, isNew: Bool) {
        guard name.utf8.contains(where: { "+@#".utf8.contains($0) }) else { return }
        let characters = Array(name)
        let words = Tag.words(of: name, naming: [tag])
        let new = other?.word.map(Array.init)
        var changes = words.map { word in
            (word.range, new ?? Array(characters[word.range].dropFirst()))
        }
        if other?.foldedName != tag.foldedName {
            for word in Tag.escapedWords(of: name, naming: [tag]) {
                changes.append((word.range, Array(characters[word.range].dropFirst())))
            }
            let texts = isNew ? other.map { Tag.words(of: name, naming: [$0]) } ?? [] : []
            for word in texts where !words.contains(where: { $0.range.overlaps(word.range) }) {
                changes.append((word.range, ["\\"] + characters[word.range]))
            }
        }
        guard !changes.isEmpty else { return }
        var replaced = characters
        for (range, text) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            replaced.replaceSubrange(range, with: text)
        }
        name = String(replaced)
    }
}

extension Item.Extra {
    /// Returns this extra with `other` in place of `tag`, or nil if it does not change.
    ///
    /// The heading and the first tags of a Markdown line change. The line of a todo.txt changes
    /// only if just the case of the name changes, because its export finds other renamed words
    /// itself.
    fileprivate func replacing(_ tag: Tag, with other: Tag) -> Item.Extra? {
        let folded = Tag.fold(tag.name)
        func spelling(_ name: Substring) -> Bool { Tag.fold(String(name)) == folded }
        switch key {
        case Self.headingKey:
            let mark = value.prefix { $0 == "#" }
            let name = Tag.name(from: String(value.dropFirst(mark.count + 1)))
            guard let name, spelling(name[...]) else { return nil }
            return Item.Extra(key: key, value: "\(mark) \(other.name)")
        case Self.firstTagsKey:
            let words = value.split(separator: " ")
            guard words.contains(where: { spelling($0.dropFirst()) }) else { return nil }
            let others = words.compactMap { word -> String? in
                guard spelling(word.dropFirst()) else { return String(word) }
                return other.word.map { _ in "#\(other.name)" }
            }
            return Item.Extra(key: key, value: others.joined(separator: " "))
        case Self.todoLineKey where folded == other.foldedName:
            guard let new = other.todoWord, let former = tag.todoWord else { return nil }
            var characters = Array(value)
            for word in Tag.words(of: value, naming: [former]).reversed() {
                characters.replaceSubrange(word.range, with: Array(new.name))
            }
            return Item.Extra(key: key, value: String(characters))
        default: return nil
        }
    }
}

extension Tag {
    /// The tag with its name in a todo.txt, which has a sigil, or nil if a single word cannot spell
    /// that name.
    fileprivate var todoWord: Tag? {
        guard word != nil, !name.contains("%") else { return nil }
        var tag = self
        if name.sigil != "+", name.sigil != "@" { tag.name = "@\(name)" }
        return tag
    }
}

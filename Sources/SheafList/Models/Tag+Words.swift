/// A word of a name that stands for one of the item's tags: `@nas` in `host on @nas (nginx)`.
///
/// The word has the tag's sigil: `+x` and `@x` stand for the tags `+x` and `@x`, and `#x` for the
/// tag `x`. Case does not matter. The name keeps the word as it was typed; nothing else is stored.
/// A word in code or in a link stands for no tag: see ``LiteralSpans``.
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

    /// The maximum length, in bytes, of names that are searched for words, because views search
    /// them for each frame.
    private static let maxNameBytes = 4_000

    /// Returns the words of `name` that stand for one of `tags`. O(name × tags).
    package static func words(of name: String, naming tags: [Tag]) -> [Word] {
        guard !tags.isEmpty, name.utf8.count <= maxNameBytes,
            name.utf8.contains(where: { "+@#".utf8.contains($0) })
        else { return [] }
        var words: [Word] = []
        let literal = LiteralSpans(name.utf8)
        var tagsByWord: [String: Tag]?
        var place = 0
        for part in name.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
            defer { place += part.count + 1 }
            guard part.sigil != nil,
                !literal.contains(
                    name.utf8.distance(from: name.startIndex, to: part.startIndex))
            else { continue }
            if tagsByWord == nil {
                let pairs = tags.compactMap { tag in tag.word.map { (fold($0), tag) } }
                tagsByWord = Dictionary(pairs) { first, _ in first }
            }
            // The name of a tag may end in punctuation, too.
            for word in [part, part.withoutPunctuation] {
                guard let tag = tagsByWord?[fold(String(word))] else { continue }
                words.append(Word(range: place..<place + word.count, tag: tag))
                break
            }
        }
        return words
    }
}

extension Substring {
    /// The word without punctuation at its end: `@nas` for `@nas,` and `@nas**`.
    package var withoutPunctuation: Substring {
        prefix(upTo: lastIndex { !".,;:!?)]*".contains($0) }.map(index(after:)) ?? startIndex)
    }
}

extension Item {
    /// Returns true if the item has the tag, and a word of its name or its Markdown spelling stands
    /// for the tag. O(name).
    package func isNamed(by tag: Tag) -> Bool {
        tags.contains(tag.id)
            && (!Tag.words(of: name, naming: [tag]).isEmpty
                || extras.contains { $0.replacing(tag, with: tag) != nil })
    }

    /// Removes a tag. Words of the name that stand for it lose their sigils. O(name).
    package mutating func remove(_ tag: Tag) {
        guard tags.remove(tag.id) != nil else { return }
        replaceWords(naming: tag, with: nil)
    }

    /// Replaces a tag with another one, or with the same tag under another name. Words of the name
    /// that stand for the old tag become words for the new one. If the new tag's name is not a
    /// single word, they only lose their sigils. The heading in a Markdown file follows. O(name).
    package mutating func replace(_ tag: Tag, with other: Tag) {
        guard tags.remove(tag.id) != nil else { return }
        tags.insert(other.id)
        replaceWords(naming: tag, with: other.word)
        for index in extras.indices {
            if let extra = extras[index].replacing(tag, with: other) { extras[index] = extra }
        }
    }

    private mutating func replaceWords(naming tag: Tag, with new: String?) {
        let words = Tag.words(of: name, naming: [tag])
        guard !words.isEmpty else { return }
        var characters = Array(name)
        for word in words.reversed() {
            let text = new.map(Array.init) ?? Array(characters[word.range].dropFirst())
            characters.replaceSubrange(word.range, with: text)
        }
        name = String(characters)
    }
}

extension Item.Extra {
    /// Returns the heading or the first tags of a Markdown line with another tag in place of `tag`,
    /// or nil if this is neither or does not spell `tag`.
    fileprivate func replacing(_ tag: Tag, with other: Tag) -> Item.Extra? {
        let folded = Tag.fold(tag.name)
        func spelling(_ name: Substring) -> Bool { Tag.fold(String(name)) == folded }
        switch key {
        case Self.headingKey:
            let mark = value.prefix { $0 == "#" }
            guard spelling(value.dropFirst(mark.count + 1)) else { return nil }
            return Item.Extra(key: key, value: "\(mark) \(other.name)")
        case Self.firstTagsKey:
            let words = value.split(separator: " ")
            guard words.contains(where: { spelling($0.dropFirst()) }) else { return nil }
            let others = words.compactMap { word -> String? in
                guard spelling(word.dropFirst()) else { return String(word) }
                return other.word.map { _ in "#\(other.name)" }
            }
            return Item.Extra(key: key, value: others.joined(separator: " "))
        default: return nil
        }
    }
}

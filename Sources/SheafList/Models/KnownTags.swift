/// An index of the tags of a list by name, with and without a sigil.
///
/// Each tag's name is folded only once, so that a lookup takes O(1).
package struct KnownTags: Sendable {
    private var tags: [String: Tag] = [:]
    /// The tags whose names begin with a sigil, by the rest of their names.
    private var tagsWithSigil: [String: [Tag]] = [:]

    /// Creates an index of the tags. O(tags).
    package init(_ tags: some Sequence<Tag>) {
        for tag in tags { insert(tag) }
    }

    /// Adds a tag, unless there is one with its name.
    package mutating func insert(_ tag: Tag) {
        let name = tag.foldedName
        guard tags[name] == nil else { return }
        tags[name] = tag
        if let rest = tag.nameWithoutSigil {
            tagsWithSigil[Tag.fold(rest), default: []].append(tag)
        }
    }

    /// Returns the tag with that name, including the sigil.
    package func tag(named name: String) -> Tag? { tags[Tag.fold(name)] }

    /// Returns the tag that a word with a sigil means, or nil if there is none.
    ///
    /// The first choice is the tag whose name is the whole word. The second is the tag whose name
    /// is the word without its sigil, because any sigil marks a tag. If the sigil is `#`, the third
    /// is the only tag whose name is the rest of the word after another sigil: `@home` for `#home`.
    package func tag(for word: String) -> Tag? {
        let bare = Tag.fold(word.withoutFirstScalar)
        if let tag = tag(named: word) ?? tags[bare] { return tag }
        guard word.sigil == "#", let fitting = tagsWithSigil[bare], fitting.count == 1 else {
            return nil
        }
        return fitting[0]
    }

    /// Returns the tag that a name in a pasted or imported text means, or nil if there is none.
    ///
    /// The first choice is the tag with exactly that name. Otherwise the rules of ``tag(for:)``
    /// apply, and a name without a sigil is read as if it began with `#`.
    package func tag(forName name: String) -> Tag? {
        tag(named: name) ?? tag(for: Tag.label(ofName: name))
    }
}

/// The tags that the names in a text mean. Names that differ within the text stay different tags.
package struct TextTags {
    private let known: KnownTags
    /// For each tag that the text means, the folded name by which the text calls it.
    private var names: [Tag.ID: String] = [:]

    /// - Parameters:
    ///   - known: The tags of the list.
    ///   - names: All names in the text, in their order.
    package init(_ known: KnownTags, names: some Sequence<String>) {
        self.known = known
        for name in names {
            if let tag = known.tag(named: name) { self.names[tag.id] = tag.foldedName }
        }
    }

    /// Returns the tag that `name` means. Returns nil if `name` needs a new tag: the list has no
    /// tag for it, or the text already calls that tag by a different name.
    package mutating func tag(for name: String) -> Tag? {
        guard let tag = known.tag(forName: name) else { return nil }
        let folded = Tag.fold(name)
        guard names[tag.id, default: folded] == folded else { return nil }
        names[tag.id] = folded
        return tag
    }
}

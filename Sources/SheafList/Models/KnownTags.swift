/// An index of the tags of a list by the words that mean them.
///
/// Each name is folded once, so that each word of many texts is looked up in O(1).
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

    /// Returns the tag that `word`, which begins with a sigil, means: the tag with this name,
    /// including the sigil; else the tag with the name after the sigil, because any sigil marks a
    /// tag; else, after `#`, the only tag whose name is a sigil and this name. Returns nil if there
    /// is none.
    package func tag(for word: String) -> Tag? {
        let bare = Tag.fold(word.withoutFirstScalar)
        if let tag = tag(named: word) ?? tags[bare] { return tag }
        guard word.sigil == "#", let fitting = tagsWithSigil[bare], fitting.count == 1 else {
            return nil
        }
        return fitting[0]
    }
}

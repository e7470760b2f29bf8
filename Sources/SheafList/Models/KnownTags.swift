/// The tags of a list, found by the words that mean them.
///
/// Each name is folded once, so that the words of many texts are found in O(1).
package struct KnownTags: Sendable {
    private var tags: [String: Tag] = [:]
    /// The tags whose names have a sigil of their own, by the rest of these names.
    private var tagsWithSigil: [String: [Tag]] = [:]

    /// The tags of a list. O(tags).
    package init(_ tags: some Sequence<Tag>) {
        for tag in tags { insert(tag) }
    }

    /// Adds a tag, unless there is one of that name.
    package mutating func insert(_ tag: Tag) {
        let name = tag.foldedName
        guard tags[name] == nil else { return }
        tags[name] = tag
        if let rest = tag.nameWithoutSigil {
            tagsWithSigil[Tag.fold(rest), default: []].append(tag)
        }
    }

    /// The tag of that name, sigil and all.
    package func tag(named name: String) -> Tag? { tags[Tag.fold(name)] }

    /// The tag that `word`, which begins with a sigil, means, or nil if there is none, or several:
    /// the tag of this name, sigil and all; or of the name alone, since any sigil says that a tag
    /// follows; or after `#` the tag that has the name after a sigil of its own.
    package func tag(for word: String) -> Tag? {
        let bare = Tag.fold(word.withoutFirstScalar)
        if let tag = tag(named: word) ?? tags[bare] { return tag }
        guard word.sigil == "#", let fitting = tagsWithSigil[bare], fitting.count == 1 else {
            return nil
        }
        return fitting[0]
    }
}

extension Array {
    /// Returns the range of the words that make up the name of a text: from the first to the last
    /// word that is not a tag. Tags between them are part of the sentence and stay. A name is never
    /// empty: if all words are tags, all stay. Typed texts and all formats follow this rule.
    /// O(words).
    package func nameRange(isTag: (Element) -> Bool) -> Range<Int> {
        guard let first = firstIndex(where: { !isTag($0) }),
            let last = lastIndex(where: { !isTag($0) })
        else { return indices }
        return first..<last + 1
    }
}

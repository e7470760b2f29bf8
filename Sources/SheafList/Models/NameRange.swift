extension Array {
    /// The range of the words of a text that make its name: from the first to the last word that is
    /// not a tag. Tags between them belong to the sentence and stay. A name is never empty: if all
    /// words are tags, all stay. Typed texts and all formats follow this rule. O(words).
    package func nameRange(isTag: (Element) -> Bool) -> Range<Int> {
        guard let first = firstIndex(where: { !isTag($0) }),
            let last = lastIndex(where: { !isTag($0) })
        else { return indices }
        return first..<last + 1
    }
}

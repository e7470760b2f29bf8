extension Array {
    /// The range of the elements of a text that make its name: from the first to the last that is
    /// no tag. Tags between them are words of a sentence, and stay. A name is never empty: if all
    /// elements are tags, they stay, too. O(elements).
    func nameRange(isTag: (Element) -> Bool) -> Range<Int> {
        guard let first = firstIndex(where: { !isTag($0) }),
            let last = lastIndex(where: { !isTag($0) })
        else { return indices }
        return first..<last + 1
    }
}

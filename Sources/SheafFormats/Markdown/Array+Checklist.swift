import SheafList

extension [Item] {
    /// Returns the items as text for other programs: the name if there is only one item, and it has
    /// no tags, dates or priority. Otherwise returns a Markdown checklist without headings, in
    /// which every tag is a word of its line. ``PastedText`` reads it. O(items).
    package func checklist(tags: [Tag]) -> String {
        if count == 1, self[0].isPlain { return self[0].name }
        var writer = MarkdownWriter(tagNames: tags.map(\.name), hasHeadings: false)
        let places = Dictionary(
            zip(tags.map(\.id), tags.indices), uniquingKeysWith: { first, _ in first })
        let text = map { item in
            writer.text(for: item, tags: item.tags.compactMap { places[$0] }.sorted())
        }.joined()
        // A single item may be pasted into a line, so it has no line break.
        return count == 1 ? text.trimmed : text
    }
}

extension Item {
    /// True if the name is all that a copy of the item contains.
    fileprivate var isPlain: Bool {
        tags.isEmpty && due == nil && scheduled == nil && self.repeat == nil && priority == nil
    }
}

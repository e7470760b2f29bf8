import SheafList

/// Items as a text for other programs.
public enum Checklist {
    /// The name of one item; several as a Markdown checklist without headings, in which every tag
    /// is a word of its line. O(items).
    public static func text(of items: [Item], tags: [Tag]) -> String {
        if items.count == 1 { return items[0].name }
        var writer = MarkdownWriter(tagNames: tags.map(\.name), hasHeadings: false)
        let places = Dictionary(
            zip(tags.map(\.id), tags.indices), uniquingKeysWith: { first, _ in first })
        return items.map { item in
            writer.text(for: item, tags: item.tags.compactMap { places[$0] }.sorted())
        }.joined()
    }
}

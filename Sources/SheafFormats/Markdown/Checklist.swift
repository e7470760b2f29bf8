import SheafList

/// Items as a text for other programs.
public enum Checklist {
    /// The name of one item that has no tags and no dates; others as a Markdown checklist without
    /// headings, in which every tag is a word of its line. ``PastedText`` reads it. O(items).
    public static func text(of items: [Item], tags: [Tag]) -> String {
        if items.count == 1, items[0].isPlain { return items[0].name }
        var writer = MarkdownWriter(tagNames: tags.map(\.name), hasHeadings: false)
        let places = Dictionary(
            zip(tags.map(\.id), tags.indices), uniquingKeysWith: { first, _ in first })
        let text = items.map { item in
            writer.text(for: item, tags: item.tags.compactMap { places[$0] }.sorted())
        }.joined()
        // In a line elsewhere one item is no line of its own.
        return items.count == 1 ? text.trimmed : text
    }
}

extension Item {
    /// True if its name says all that a copy has to say of it.
    fileprivate var isPlain: Bool {
        tags.isEmpty && due == nil && scheduled == nil && self.repeat == nil && priority == nil
    }
}

import FoundationEssentials
import Glibc
import SheafList

/// Writes items as a Markdown checklist, in the order of the list.
///
/// With headings, each item stands below one of its tags, and its other tags are words at the end
/// of its line. An item stays below the current heading if it carries that tag.
struct MarkdownWriter {
    private let names: [String]
    private let hasHeadings: Bool
    private let calendar: LocalCalendar
    /// The index of the tag that is the heading, or `nil` if there is no heading or one without a
    /// tag.
    fileprivate var heading: Int?
    private var isFirst = true

    /// - Parameters:
    ///   - names: The names of the list's tags, in their order.
    ///   - hasHeadings: True if tags become headings. Otherwise all are words of a line.
    ///   - calendar: The calendar that converts times to days.
    init(tagNames names: [String], hasHeadings: Bool = true, calendar: LocalCalendar = .system) {
        self.names = names
        self.calendar = calendar
        self.hasHeadings = hasHeadings
    }

    /// Returns the text for `item`, which has the tags at the indices `tags`, in their order.
    mutating func text(for item: Item, tags: [Int]) -> String {
        var text = ""
        if turnsToHeading(of: tags) {
            let title = heading.map { names[$0] } ?? "Untagged \(MarkdownReader.noTag)"
            text = "\(isFirst ? "" : "\n")## \(title)\n\n"
        }
        isFirst = false
        return text + block(item, tags: tags.map { names[$0] })
    }

    /// Changes to the heading of an item with the tags at the indices `tags`. Returns true if the
    /// heading changes.
    fileprivate mutating func turnsToHeading(of tags: [Int]) -> Bool {
        let former = heading
        heading =
            heading.flatMap { tags.contains($0) ? $0 : nil }
            ?? tags.first { hasHeadings && Self.isHeading(names[$0]) }
        return heading != former
    }

    /// Returns the lines of the item. If lines cannot represent the note exactly, the comment
    /// stores it.
    private func block(_ item: Item, tags: [String]) -> String {
        var line = MarkdownLine(
            item, tags: tags, heading: heading.map { names[$0] }, calendar: calendar)
        guard !item.note.isEmpty else { return line.text + "\n" }
        let note = MarkdownNote.lines(item.note).joined(separator: "\n")
        let read = MarkdownReader.parse(Data("- [ ] -\n\(note)".utf8)).list.items
        if read.count == 1, read[0].note?.utf8.elementsEqual(item.note.utf8) ?? false {
            return "\(line.text)\n\(note)\n"
        }
        line.hidesNote = true
        return line.text + "\n"
    }

    /// Returns true if a heading can spell `name`.
    static func isHeading(_ name: String) -> Bool {
        guard !name.isEmpty, !name.hasSuffix(MarkdownReader.noTag),
            !name.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }),
            let read = MarkdownSyntax.heading("## \(name)")
        else { return false }
        return read.utf8.elementsEqual(name.utf8)
    }
}

/// Determines whether the items are grouped by tag, so that Markdown needs no heading twice.
public struct HeadingOrder {
    private var writer: MarkdownWriter
    private let places: [Tag.ID: Int]
    private var headings: Set<Int?> = []
    /// False after a heading would have to be repeated.
    public private(set) var isKept = true

    /// - Parameter tags: All tags of the list, in their order.
    public init(tags: [Tag]) {
        writer = MarkdownWriter(tagNames: tags.map(\.name))
        places = Dictionary(
            zip(tags.map(\.id), tags.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Processes the next items. O(items × their tags).
    public mutating func take(_ items: some Sequence<Item>) {
        for item in items {
            let isTurn = writer.turnsToHeading(of: item.tags.compactMap { places[$0] }.sorted())
            if isTurn, !headings.insert(writer.heading).inserted { isKept = false }
        }
    }
}

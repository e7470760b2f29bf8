import FoundationEssentials
import SheafList

/// Writes items as a Markdown checklist, in the order of the list.
///
/// Tags are words of an item's line, except the heading above it. An item that was imported below a
/// heading is written below that heading again while it has the tag. Other items follow below the
/// current heading. If that is not their tag, a comment marks them: see ``MarkdownItem``.
struct MarkdownWriter {
    private let names: [String]
    private let hasHeadings: Bool
    private let calendar: LocalCalendar
    /// The indices of the tags, by their folded names.
    private let places: [String: Int]
    /// The index of the tag that is the current heading, or `nil` before the first one.
    private var heading: Int?
    /// The current heading as written, with its mark.
    private var headingLine = ""
    private var isFirst = true

    /// - Parameters:
    ///   - names: The names of the list's tags, in their order.
    ///   - hasHeadings: True to write headings. Otherwise all tags are words of a line.
    ///   - calendar: The calendar that converts times to days.
    init(tagNames names: [String], hasHeadings: Bool = true, calendar: LocalCalendar = .system) {
        self.names = names
        self.calendar = calendar
        self.hasHeadings = hasHeadings
        places = Dictionary(
            zip(names.map(Tag.fold), names.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the text for `item`, which has the tags at the indices `tags`, in their order.
    mutating func text(for item: Item, tags: [Int]) -> String {
        var text = ""
        if hasHeadings, let (line, place) = ownHeading(of: item, tags: tags), line != headingLine {
            (heading, headingLine) = (place, line)
            text = "\(isFirst ? "" : "\n")\(line)\n\n"
        }
        isFirst = false
        return text + block(item, tags: tags)
    }

    /// Returns the heading below which the item was imported, if the item still has that tag: the
    /// line, and the index of the tag. A heading such as `## #work` keeps the `#` before the name
    /// of the tag.
    private func ownHeading(of item: Item, tags: [Int]) -> (line: String, place: Int)? {
        guard let spelled = item.extras.first(where: { $0.key == Item.Extra.headingKey })?.value,
            let name = MarkdownSpelling.tag(ofHeading: spelled),
            let place = places[Tag.fold(name)], tags.contains(place), Self.isHeading(names[place])
        else { return nil }
        if name.utf8.elementsEqual(names[place].utf8) { return (spelled, place) }
        return ("\(spelled.prefix { $0 == "#" }) \(names[place])", place)
    }

    /// Returns the lines of the item. If lines cannot represent the note exactly, the comment
    /// stores it.
    private func block(_ item: Item, tags: [Int]) -> String {
        var line = MarkdownLine(
            item, tags: tags.map { names[$0] }, heading: heading.map { names[$0] },
            calendar: calendar)
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

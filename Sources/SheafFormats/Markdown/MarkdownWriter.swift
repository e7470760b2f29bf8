import FoundationEssentials
import Glibc
import SheafCore

/// Writes items as a Markdown checklist, each under a heading that is one of its tags.
///
/// The order of the list is kept, so that a heading comes again where it is needed. An item under a
/// heading that it carries stays there; its other tags are words at the end of its line.
struct MarkdownWriter {
    private let names: [String]
    private let hasHeadings: Bool
    /// The place of the tag that is the heading, or nil where no heading or one without a tag is.
    private var heading: Int?
    private var isFirst = true

    /// - Parameters:
    ///   - names: the names of the list's tags, in their order.
    ///   - hasHeadings: whether tags become headings. Otherwise all are words of a line.
    init(tagNames names: [String], hasHeadings: Bool = true) {
        self.names = names
        self.hasHeadings = hasHeadings
    }

    /// The text for `item`, which has the tags at the places `tags`, in their order.
    mutating func text(for item: Item, tags: [Int]) -> String {
        let wanted =
            heading.flatMap { tags.contains($0) ? $0 : nil }
            ?? tags.first { hasHeadings && Self.isHeading(names[$0]) }
        var text = ""
        if wanted != heading {
            let title = wanted.map { names[$0] } ?? "Untagged \(MarkdownReader.noTag)"
            text = "\(isFirst ? "" : "\n")## \(title)\n\n"
        }
        heading = wanted
        isFirst = false
        return text + Self.block(item, tags: tags.filter { $0 != wanted }.map { names[$0] })
    }

    /// The lines of the item. A note that they would not bring back is in the comment.
    private static func block(_ item: Item, tags: [String]) -> String {
        var line = MarkdownItem(item, tags: tags)
        let box = item.isDone ? "- [x] " : "- [ ] "
        let block = ([box + line.text] + MarkdownNote.lines(item.note)).joined(separator: "\n")
        guard !item.note.isEmpty else { return box + line.text + "\n" }
        let read = MarkdownReader.parse(Data(block.utf8)).list.items
        let isExact =
            read.count == 1 && read[0].note?.utf8.elementsEqual(item.note.utf8) ?? false
        if isExact { return block + "\n" }
        line.note = item.note
        return box + line.text + "\n"
    }

    /// Whether a heading can spell `name`.
    static func isHeading(_ name: String) -> Bool {
        guard !name.isEmpty, !name.hasSuffix(MarkdownReader.noTag),
            !name.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }),
            let read = MarkdownSyntax.heading("## \(name)")
        else { return false }
        return read.utf8.elementsEqual(name.utf8)
    }
}

import FoundationEssentials
import Glibc
import SheafList

/// Reads the lists of a Markdown file.
///
/// Every bullet and number is an item, with a box or without; nested ones follow the item that they
/// stand under. The nearest heading above is its tag, beside those of its own: see
/// ``MarkdownItem``. What is indented under an item is its note. Other text has no place in a list
/// and is reported as left out.
struct MarkdownReader {
    /// An item whose indented text may follow.
    private struct Open {
        var indentation: Int
        /// The place in the list, or nil for an item that could not be read.
        var index: Int?
        /// The columns that are taken off its note: as many as the first line has.
        var noteIndentation: Int?
    }

    /// The comment after a heading that is no tag.
    static let noTag = "<!-- no tag -->"

    private var parsed = ParsedList()
    private var heading: String?
    /// Whether an item stands under the heading already.
    private var isHeadingUsed = false
    /// The line of the last heading that is no title, until an item stands under it.
    private var emptyHeading: Int?
    private var order = TagOrder()
    private var open: [Open] = []
    private var blanks = 0
    /// The fence in the note that is being read.
    private var fence: MarkdownSyntax.Fence?
    private var isLeavingOut = false

    static func parse(_ data: Data) -> ParsedList {
        var reader = MarkdownReader()
        let lines = Array(TextLines(data))
        var index = reader.skipFrontMatter(lines)
        while index < lines.count {
            index = reader.read(lines, at: index)
        }
        reader.leaveOutEmptyHeading()
        reader.parsed.list.tags = reader.order.tags
        return reader.parsed
    }

    /// Reads what begins at `index` and returns where the rest does.
    private mutating func read(_ lines: [TextLines.Line], at index: Int) -> Int {
        let line = lines[index]
        guard let text = line.text else {
            parsed.bad.append(.notUTF8(line: line.number))
            return index + 1
        }
        let (columns, content) = MarkdownSyntax.indentation(of: text)
        if MarkdownSyntax.trimmed(content).isEmpty {
            blanks += 1
            isLeavingOut = false
            return index + 1
        }
        close(to: columns)
        if fence != nil {
            readNote(text, line: line.number, columns: columns, content: content)
            return index + 1
        }
        let isRule = open.isEmpty && MarkdownSyntax.isRule(content)
        if !isRule, let bullet = MarkdownSyntax.bullet(content) {
            readItem(bullet, columns: columns, line: line.number)
            return index + 1
        }
        if !open.isEmpty {
            readNote(text, line: line.number, columns: columns, content: content)
            return index + 1
        }
        blanks = 0
        if isRule { return index + 1 }
        if columns < 4, let heading = MarkdownSyntax.heading(content) {
            read(heading: heading, line: content.utf8.starts(with: "##".utf8) ? line.number : nil)
            return index + 1
        }
        if columns < 4, index + 1 < lines.count,
            let next = lines[index + 1].text.map(MarkdownSyntax.indentation(of:)),
            next.columns < 4, MarkdownSyntax.isUnderline(next.content)
        {
            let isTitle = next.content.utf8.first == UInt8(ascii: "=")
            read(heading: MarkdownSyntax.trimmed(content), line: isTitle ? nil : line.number)
            return index + 2
        }
        return leaveOut(lines, from: index, content: content)
    }

    /// Closes the items that text at `columns` does not belong to.
    private mutating func close(to columns: Int) {
        while let last = open.last, columns <= last.indentation {
            open.removeLast()
            fence = nil
        }
    }

    /// - Parameter line: where it is; nil for a title, which needs no items.
    private mutating func read(heading text: String, line: Int?) {
        leaveOutEmptyHeading()
        emptyHeading = line
        isLeavingOut = false
        isHeadingUsed = false
        heading = text.isEmpty || text.hasSuffix(Self.noTag) || Tag.fold(text).isEmpty ? nil : text
    }

    // MARK: Items

    private mutating func readItem(_ bullet: MarkdownSyntax.Bullet, columns: Int, line: Int) {
        blanks = 0
        isLeavingOut = false
        let text = MarkdownItem(bullet.text, isDone: bullet.isDone)
        guard !text.name.isEmpty else {
            parsed.leftOut.append(FormatError(line: line, reason: "a bullet without a name"))
            open.append(Open(indentation: columns, index: nil))
            return
        }
        emptyHeading = nil
        var tags = heading.map { [$0] } ?? []
        let others = text.tags.filter { $0 != heading && !Tag.fold($0).isEmpty }
        learnOrder(of: others)
        tags += others
        open.append(Open(indentation: columns, index: parsed.list.items.count))
        var item = text.said ?? ImportedItem(name: text.name)
        item.id = nil
        item.name = text.name
        item.note = text.note ?? ""
        item.tags = tags
        item.done = bullet.isDone ? .yes(at: text.doneOn.map(Timestamp.init)) : .no
        if let createdOn = text.createdOn { item.createdAt = Timestamp(createdOn) }
        item.extras = text.extras
        parsed.list.items.append(item)
    }

    /// Takes down what the tags beside the heading tell of the order of all. A heading is the first
    /// tag, of those that can be one, of the item that it was made for; others stay under it as
    /// long as they carry it.
    private mutating func learnOrder(of tags: [String]) {
        if let heading, !isHeadingUsed {
            isHeadingUsed = true
            order.addLeading(heading)
            if let second = tags.first(where: MarkdownWriter.isHeading) {
                order.add([heading, second])
            }
        }
        order.add(tags)
    }

    private mutating func readNote(
        _ text: String, line number: Int, columns: Int, content: String
    ) {
        defer { blanks = 0 }
        let place = open.count - 1
        let indentation = open[place].noteIndentation ?? columns
        open[place].noteIndentation = indentation
        var line = MarkdownSyntax.outdented(text, by: indentation)
        if let fence {
            if fence.isClosed(by: content) { self.fence = nil }
        } else {
            fence = MarkdownSyntax.Fence(content)
            line = MarkdownNote.unescaped(line)
        }
        guard let index = open[place].index else {
            parsed.leftOut.append(FormatError(line: number, reason: Self.text))
            return
        }
        if parsed.list.items[index].note?.isEmpty == false {
            parsed.list.items[index].note?.append(String(repeating: "\n", count: blanks + 1))
        }
        parsed.list.items[index].note?.append(line)
    }

    // MARK: Text that is no list

    /// Leaves out the block that begins at `index`, reports it once, and returns where it ends.
    private mutating func leaveOut(
        _ lines: [TextLines.Line], from index: Int, content: String
    ) -> Int {
        var end = index + 1
        var reason = Self.text
        if let fence = MarkdownSyntax.Fence(content) {
            end = self.end(lines, from: index + 1) { fence.isClosed(by: $0) }
            reason = "a code block, up to line \(end)"
        } else if content.utf8.starts(with: "<!--".utf8) {
            end = self.end(lines, from: index) { $0.utf8.contains("-->".utf8) }
            reason = end > index + 1 ? "a comment, up to line \(end)" : "a comment"
        } else if isLeavingOut {
            parsed.leftOut[parsed.leftOut.count - 1].reason = "\(Self.text), up to line \(end)"
            return end
        }
        isLeavingOut = reason == Self.text
        parsed.leftOut.append(FormatError(line: lines[index].number, reason: reason))
        return end
    }

    private static let text = "text that belongs to no item"

    private mutating func leaveOutEmptyHeading() {
        guard let line = emptyHeading else { return }
        parsed.leftOut.append(FormatError(line: line, reason: "a heading without items"))
        emptyHeading = nil
    }

    /// Where the block ends whose last line is the first one from `index` on that `isLast`.
    private func end(
        _ lines: [TextLines.Line], from index: Int, _ isLast: (String) -> Bool
    ) -> Int {
        let last = lines[index...].firstIndex { line in
            line.text.map { isLast(MarkdownSyntax.indentation(of: $0).content) } ?? false
        }
        return last.map { $0 + 1 } ?? lines.count
    }

    private mutating func skipFrontMatter(_ lines: [TextLines.Line]) -> Int {
        guard lines.first?.text == "---",
            let end = lines.dropFirst().firstIndex(where: { $0.text == "---" }),
            lines[1..<end].allSatisfy({ !$0.isBlank })
        else { return 0 }
        parsed.leftOut.append(FormatError(line: 1, reason: "the front matter"))
        return end + 1
    }
}

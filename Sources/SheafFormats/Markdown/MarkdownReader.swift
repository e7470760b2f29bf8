import FoundationEssentials
import SheafList

/// Reads the lists of a Markdown file.
///
/// Every bulleted or numbered line is an item, with or without a box. Nested items follow their
/// parent. The nearest heading above an item is one of its tags, in addition to those in its line:
/// see ``MarkdownItem``. The item keeps the heading as an extra, and an export writes it again.
/// Text that is indented below an item is its note, including bullets without a box below an item
/// with one. In block quotes, only bullets with a box are items. Other text has no place in a list
/// and is reported as left out.
struct MarkdownReader {
    /// An item to which further indented text may belong.
    private struct Open {
        var indentation: Int
        var hasBox: Bool
        /// The index of the item in the list, or `nil` if it could not be read.
        var index: Int?
        /// The number of columns to remove from the lines of its note: the indentation of the first
        /// line.
        var noteIndentation: Int?
    }

    /// The comment after a heading that is not a tag, and after an item that does not have the
    /// heading above it as a tag.
    static let noTag = "<!-- no tag -->"

    private var parsed = ParsedList()
    /// The tag of the heading above.
    private var heading: String?
    /// The heading with its mark: `## Garden`.
    private var headingLine = ""
    /// The mark and the folded tag of the heading above, and of the one above the last item.
    private var headingKey = ""
    private var lastHeadingKey = ""
    /// The line of the last heading, until it has an item.
    private var emptyHeading: Int?
    /// The numbers of items whose fields are signs of the Tasks plugin, and of those whose fields
    /// are words.
    private var (signedItems, wordedItems) = (0, 0)
    private var order = TagOrder()
    private var open: [Open] = []
    /// The number of block quotes around the open items.
    private var depth = 0
    private var blanks = 0
    /// The open fence in the current note.
    private var fence: MarkdownSyntax.Fence?
    private var isSkipping = false

    static func parse(_ data: Data) -> ParsedList {
        var reader = MarkdownReader()
        let lines = Array(TextLines(data))
        var index = reader.skipFrontMatter(lines)
        while index < lines.count {
            index = reader.read(lines, at: index)
        }
        reader.skipEmptyHeading()
        reader.parsed.list.tags = reader.order.tags
        if reader.signedItems > reader.wordedItems { reader.addSigns() }
        return reader.parsed
    }

    /// Lets an export write signs for all items without fields, because most fields of the file are
    /// signs.
    private mutating func addSigns() {
        for index in parsed.list.items.indices {
            let item = parsed.list.items[index]
            let isPlain = TodoTask.fields.allSatisfy { $0.spelling.get(item.draft) == nil }
            guard isPlain, let extras = item.extras else { continue }
            parsed.list.items[index].extras = MarkdownSpelling.withSigns(extras)
        }
    }

    /// Reads the block at `index`, and returns the index after it.
    private mutating func read(_ lines: [TextLines.Line], at index: Int) -> Int {
        let line = lines[index]
        guard let text = line.text else {
            parsed.errors.append(.notUTF8(line: line.number))
            return index + 1
        }
        let (depth, unquoted) = unquoted(text)
        let (columns, content) = MarkdownSyntax.indentation(of: unquoted)
        if depth != self.depth { closeAll(in: depth) }
        if MarkdownSyntax.trimmed(content).isEmpty {
            blanks += 1
            isSkipping = false
            return index + 1
        }
        close(to: columns)
        let isRule = open.isEmpty && MarkdownSyntax.isRule(content)
        if fence == nil, !isRule, let bullet = MarkdownSyntax.bullet(content), isItem(bullet) {
            readItem(bullet, columns: columns, line: line.number)
            return index + 1
        }
        if !open.isEmpty {
            readNote(unquoted, line: line.number, columns: columns, content: content)
            return index + 1
        }
        blanks = 0
        if depth > 0 { return skip(lines, from: index, content: content) }
        if isRule {
            isSkipping = false
            parsed.skippedText.append(FormatError(line: line.number, reason: "a rule"))
            return index + 1
        }
        if columns < 4, let heading = MarkdownSyntax.heading(content) {
            let level = content.utf8.prefix { $0 == UInt8(ascii: "#") }.count
            read(heading: heading, level: level, line: line.number)
            return index + 1
        }
        if columns < 4, index + 1 < lines.count,
            let next = lines[index + 1].text.map(MarkdownSyntax.indentation(of:)),
            next.columns < 4, MarkdownSyntax.isUnderline(next.content)
        {
            let heading = MarkdownSyntax.withoutAnchors(MarkdownSyntax.trimmed(content))
            let level = next.content.utf8.first == UInt8(ascii: "=") ? 1 : 2
            read(heading: heading, level: level, line: line.number)
            return index + 2
        }
        return skip(lines, from: index, content: content)
    }

    /// Returns `line` without the marks of block quotes, and their number. A quote below an item is
    /// part of its note.
    private func unquoted(_ line: String) -> (depth: Int, line: String) {
        if depth == 0, let item = open.first,
            MarkdownSyntax.indentation(of: line).columns > item.indentation
        {
            return (0, line)
        }
        return MarkdownSyntax.unquoted(line)
    }

    /// Returns true if `bullet` is an item, and not text or a part of a note.
    private func isItem(_ bullet: MarkdownSyntax.Bullet) -> Bool {
        if bullet.hasBox { return true }
        guard let parent = open.last else { return depth == 0 }
        return !parent.hasBox || parent.index == nil
    }

    private mutating func closeAll(in depth: Int) {
        self.depth = depth
        open = []
        fence = nil
        isSkipping = false
    }

    /// Closes the items to which text at `columns` cannot belong.
    private mutating func close(to columns: Int) {
        while let last = open.last, columns <= last.indentation {
            open.removeLast()
            fence = nil
        }
    }

    private mutating func read(heading text: String, level: Int, line: Int) {
        skipEmptyHeading()
        isSkipping = false
        let mark = String(repeating: "#", count: level)
        heading = text.hasSuffix(Self.noTag) ? nil : Tag.name(from: text)
        guard let heading else {
            parsed.skippedText.append(
                FormatError(line: line, reason: "a heading that is not a tag"))
            return
        }
        emptyHeading = line
        headingLine = "\(mark) \(text)"
        headingKey = "\(mark) \(Tag.fold(heading))"
    }

    /// Records that the last heading has an item. An export joins the items below two successive
    /// headings that are alike, so the second heading is reported.
    private mutating func fillHeading() {
        if let line = emptyHeading, headingKey == lastHeadingKey {
            parsed.skippedText.append(
                FormatError(line: line, reason: "a heading like the one before it"))
        }
        emptyHeading = nil
        if heading != nil { lastHeadingKey = headingKey }
    }

    // MARK: Items

    private mutating func readItem(_ bullet: MarkdownSyntax.Bullet, columns: Int, line: Int) {
        blanks = 0
        isSkipping = false
        let text = MarkdownItem(bullet, heading: heading.map { _ in headingLine })
        let heading = text.isBelowHeading ? self.heading : nil
        var opened = Open(indentation: columns, hasBox: bullet.hasBox)
        guard !text.name.isEmpty else {
            parsed.skippedText.append(FormatError(line: line, reason: "a bullet without a name"))
            open.append(opened)
            return
        }
        fillHeading()
        let tags = text.tags.filter { $0 != heading && !Tag.fold($0).isEmpty }
        if let heading { order.addLeading(heading) }
        order.add(text.tags.dropFirst(text.firstTagCount).filter { $0 != heading })
        if !open.isEmpty { parsed.nestedItems += 1 }
        opened.index = parsed.list.items.count
        open.append(opened)
        parsed.unread += text.unread.map { .unread($0, line: line) }
        parsed.unread += text.movableDays.map { .movableDay($0, line: line) }
        var item = text.imported ?? ImportedItem(name: text.name)
        item.id = nil
        item.name = text.name
        item.note = text.note ?? ""
        item.tags = (heading.map { [$0] } ?? []) + tags + text.namedTags
        item.done = bullet.isDone ? .yes(at: text.doneOn.map(Timestamp.init)) : .no
        if let createdOn = text.createdOn { item.createdAt = Timestamp(createdOn) }
        item.extras = text.extras
        if text.hasSigns {
            signedItems += 1
        } else if TodoTask.fields.contains(where: { $0.spelling.get(item.draft) != nil }) {
            wordedItems += 1
        }
        parsed.list.items.append(item)
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
            parsed.skippedText.append(FormatError(line: number, reason: Self.text))
            return
        }
        if parsed.list.items[index].note?.isEmpty == false {
            parsed.list.items[index].note?.append(String(repeating: "\n", count: blanks + 1))
        }
        parsed.list.items[index].note?.append(line)
    }

    // MARK: Text that is no list

    /// Leaves out the block at `index`, reports it once, and returns the index after it.
    private mutating func skip(
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
        } else if isSkipping {
            parsed.skippedText[parsed.skippedText.count - 1].reason =
                "\(Self.text), up to line \(end)"
            return end
        }
        isSkipping = reason == Self.text
        parsed.skippedText.append(FormatError(line: lines[index].number, reason: reason))
        return end
    }

    private static let text = "text that belongs to no item"

    private mutating func skipEmptyHeading() {
        guard let line = emptyHeading else { return }
        parsed.skippedText.append(
            FormatError(line: line, reason: "a heading without items of its own"))
        emptyHeading = nil
    }

    /// Returns the index after a block. The block ends with the first line from `index` on that
    /// satisfies `isLast`, or with the current block quote.
    private func end(
        _ lines: [TextLines.Line], from index: Int, _ isLast: (String) -> Bool
    ) -> Int {
        for place in index..<lines.count {
            guard let line = lines[place].text else { continue }
            let (depth, text) = depth > 0 ? MarkdownSyntax.unquoted(line) : (0, line)
            if depth != self.depth { return place }
            if isLast(MarkdownSyntax.indentation(of: text).content) { return place + 1 }
        }
        return lines.count
    }

    private mutating func skipFrontMatter(_ lines: [TextLines.Line]) -> Int {
        guard lines.first?.text == "---",
            let end = lines.dropFirst().firstIndex(where: { $0.text == "---" }),
            lines[1..<end].allSatisfy({ !$0.isBlank })
        else { return 0 }
        parsed.skippedText.append(
            FormatError(line: 1, reason: "the front matter, up to line \(end + 1)"))
        return end + 1
    }
}

import FoundationEssentials
import SheafList

/// Reads the lines of a pasted text that are more than names: Markdown bullets, with or without a
/// box, and tasks with an unmistakable todo.txt beginning. ``Swift/Array/checklist(tags:)`` writes
/// such lines.
///
/// Every other line is a name, byte for byte.
package enum PastedText {
    /// A line, or a bullet with the indented lines below it.
    private struct Block {
        var format: ListFormat?
        var lines: [Substring]

        var text: String { lines.joined(separator: "\n") }
    }

    /// Returns the items of a text, or `nil` if every line is a name. O(bytes).
    ///
    /// - Parameter now: The creation time of items for which the text has none.
    package static func items(_ text: String, now: Timestamp) -> [PastedItem]? {
        let blocks = blocks(of: text)
        guard blocks.contains(where: { $0.format != nil }) else { return nil }
        return blocks.flatMap { read($0, now: now) ?? names($0, now: now) }
    }

    private static func blocks(of text: String) -> [Block] {
        var blocks: [Block] = []
        for line in text.lines {
            let line = line.utf8.last == UInt8(ascii: "\r") ? line.dropLastByte : line
            let isIndented = line.utf8.first.map { $0 == 0x20 || $0 == 0x09 } ?? true
            if blocks.last?.format == .markdown, isIndented || line.allSatisfy(\.isWhitespace) {
                blocks[blocks.count - 1].lines.append(line)
            } else if !line.allSatisfy(\.isWhitespace) {
                blocks.append(Block(format: format(of: line), lines: [line]))
            }
        }
        return blocks
    }

    /// Returns the format that the beginning of a line indicates, or `nil` if the line is a name.
    private static func format(of line: Substring) -> ListFormat? {
        let content = line.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        guard let first = content.first, "-*+x(0123456789".utf8.contains(first) else { return nil }
        let second = content.dropFirst().first
        if "-*+".utf8.contains(first), second == 0x20 || second == 0x09 { return .markdown }
        return ListFormat(content: Data(line.utf8))
    }

    /// Returns the items of a block, or `nil` if a part of it cannot be read.
    private static func read(_ block: Block, now: Timestamp) -> [PastedItem]? {
        guard let format = block.format else { return nil }
        let parsed: ParsedList
        do throws(FormatError) {
            parsed = try format.parse(Data(block.text.utf8))
        } catch {
            return nil
        }
        guard parsed.errors.isEmpty, parsed.skippedText.isEmpty, !parsed.list.items.isEmpty else {
            return nil
        }
        return parsed.list.items.map { imported in
            PastedItem(
                imported.item(ImportedItem.noID, rank: .middle, now: now), tags: imported.tags ?? []
            )
        }
    }

    private static func names(_ block: Block, now: Timestamp) -> [PastedItem] {
        block.lines.filter { !$0.allSatisfy(\.isWhitespace) }.map {
            PastedItem(name: String($0), now: now)
        }
    }
}

extension Substring {
    fileprivate var dropLastByte: Substring { Substring(utf8.dropLast()) }
}

extension ImportedItem {
    /// Returns the item for a list that does not have it yet.
    func item(_ id: Item.ID, tags: Set<Tag.ID> = [], rank: Rank, now: Timestamp) -> Item {
        var item = Item(id: id)
        for field in Item.fields where setFields.contains(field.name) {
            field.copy(from: draft, to: &item)
        }
        item.tags = tags
        item.rank = rank
        item.createdAt = createdAt ?? updatedAt ?? now
        item.updatedAt = updatedAt ?? item.createdAt
        item.doneAt = doneAt(else: updatedAt ?? .unknown)
        return item
    }
}

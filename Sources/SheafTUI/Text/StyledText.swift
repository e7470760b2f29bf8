import Terminal

/// A piece of text in one style. A line is an array of pieces.
struct StyledText: Hashable {
    var text: String
    var style = Theme.text
}

extension [StyledText] {
    /// Breaks a paragraph into lines of at most `columns` columns, after a word, or within a word
    /// that is longer than a line. The lines after the first are indented by `hanging` columns.
    /// O(the text on the requested lines).
    func wrapped(to columns: Int, hanging: Int = 0, limit: Int = .max) -> [[StyledText]] {
        let columns = Swift.max(columns, 1)
        // The hanging indentation leaves room for a wide letter.
        let hanging = Swift.max(Swift.min(hanging, columns / 2, columns - 2), 0)
        // A letter takes at least one column, and one space is omitted between two lines.
        let (most, isBoundless) = (columns + 1).multipliedReportingOverflow(by: limit)
        var cells: [(character: Character, style: Style)] = []
        for piece in self {
            let room = isBoundless ? .max : most - cells.count
            cells += piece.text.prefix(room).map { ($0, piece.style) }
        }
        guard !cells.isEmpty else { return [[]] }
        var lines: [[StyledText]] = []
        var start = 0
        while start < cells.count, lines.count < limit {
            let indent = lines.isEmpty ? 0 : hanging
            var end = start
            var used = indent
            var space: Int?
            while end < cells.count {
                used += DisplayText.columns(of: cells[end].character)
                if used > columns { break }
                if cells[end].character == " " { space = end }
                end += 1
            }
            var next = end
            if end < cells.count {
                if cells[end].character == " " {
                    next = end + 1
                } else if let space, space > start {
                    (end, next) = (space, space + 1)
                } else {
                    // A wide letter does not fit in a single column, but each line must have a
                    // letter.
                    end = Swift.max(end, start + 1)
                    next = end
                }
            }
            var line: [StyledText] =
                indent > 0 ? [StyledText(text: String(repeating: " ", count: indent))] : []
            for cell in cells[start..<end] {
                if line.last?.style == cell.style {
                    line[line.count - 1].text.append(cell.character)
                } else {
                    line.append(StyledText(text: String(cell.character), style: cell.style))
                }
            }
            lines.append(line)
            start = next
        }
        return lines
    }
}

extension Canvas {
    /// Draws a line at `point`, in at most `columns` columns.
    mutating func put(_ line: [StyledText], at point: Point, columns: Int) {
        var x = 0
        for piece in line {
            x += put(
                piece.text, at: Point(x: point.x + x, y: point.y), style: piece.style,
                maxColumns: columns - x)
        }
    }
}

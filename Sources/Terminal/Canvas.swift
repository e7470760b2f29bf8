@_exported import Geometry

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A grid of cells that holds one frame. A ``Screen`` shows it, and tests read it.
///
/// Drawing outside the grid is clipped. A wide glyph is never cut in two: a space replaces the
/// remaining half. Every operation costs O(cells touched).
package struct Canvas: Hashable, Sendable {
    package let size: Size

    /// The position of the terminal's cursor. The cursor is hidden if this is `nil` or outside the
    /// canvas.
    package var cursor: Point?

    /// The position of the invisible cursor while ``cursor`` is `nil`. Magnifiers, screen readers
    /// and braille displays follow it.
    package var hiddenCursor: Point?

    private var cells: [Cell]

    /// Creates a blank canvas.
    package init(size: Size) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: Cell(blank: .standard), count: self.size.columns * self.size.rows)
    }

    /// The rectangle of the whole canvas.
    package var bounds: Rect { Rect(size) }

    /// The cell at a place, which must be within ``bounds``.
    package subscript(x: Int, y: Int) -> Cell {
        precondition(bounds.contains(Point(x: x, y: y)), "no cell at \(x), \(y) of \(size)")
        return cells[y * size.columns + x]
    }

    /// Returns the cells of a row, which must be within ``bounds``.
    package func row(_ y: Int) -> ArraySlice<Cell> {
        cells[(y * size.columns)..<((y + 1) * size.columns)]
    }

    /// Returns true if a row equals the same row of another canvas of the same size.
    func row(_ y: Int, isThatOf other: Canvas) -> Bool {
        let range = y * size.columns..<(y + 1) * size.columns
        let isCopy = cells.withUnsafeBufferPointer { cells in
            other.cells.withUnsafeBufferPointer { others in
                let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: cells[range]))
                let otherBytes = UnsafeRawBufferPointer(
                    UnsafeBufferPointer(rebasing: others[range]))
                guard let first = bytes.baseAddress, let second = otherBytes.baseAddress else {
                    return true
                }
                // Most rows are copies, and those are equal byte for byte.
                return memcmp(first, second, bytes.count) == 0
            }
        }
        return isCopy || cells[range] == other.cells[range]
    }

    /// Returns the cells of a region, which must be within ``bounds``, row by row.
    package func cells(of region: Rect) -> [Cell] {
        var result: [Cell] = []
        result.reserveCapacity(region.width * region.height)
        for y in region.y..<region.maxY {
            let start = y * size.columns
            result += cells[(start + region.x)..<(start + region.maxX)]
        }
        return result
    }

    /// Draws cells that ``cells(of:)`` returned for one row, the first at `point`. All must be
    /// within ``bounds``.
    package mutating func put(_ row: [Cell], at point: Point) {
        severWide(at: point.x, y: point.y)
        severWide(at: point.x + row.count, y: point.y)
        let start = point.y * size.columns + point.x
        cells.withUnsafeMutableBufferPointer { cells in
            _ = cells[start..<(start + row.count)].update(fromContentsOf: row)
        }
    }

    /// Draws `text` to the right of `point`, in the form that ``DisplayText`` gives it, in at most
    /// `maxColumns` columns.
    ///
    /// - Returns: the columns used, including those left of the canvas. The caller can draw the
    ///   next text there.
    @discardableResult
    package mutating func put(
        _ text: String, at point: Point, style: Style = .standard,
        maxColumns: Int = .max
    ) -> Int {
        let room = min(maxColumns, size.columns - point.x)
        guard room > 0 else { return 0 }
        guard point.y >= 0, point.y < size.rows else {
            return min(room, DisplayText.width(of: text))
        }
        var used = DisplayText.plainLength(of: text, upTo: room)
        if used > 0 { putASCII(text.utf8, length: used, at: point, style: style) }
        guard used < room else { return used }
        for character in text[text.utf8.index(text.startIndex, offsetBy: used)...] {
            let glyph = Glyph(character)
            guard used + glyph.columns <= room else {
                // The part of a glyph that would fit is left blank.
                while used < room {
                    place(Glyph(" "), x: point.x + used, y: point.y, style: style)
                    used += 1
                }
                break
            }
            place(glyph, x: point.x + used, y: point.y, style: style)
            used += glyph.columns
        }
        return used
    }

    /// Draws the first `length` bytes, which must be ASCII and end left of the right edge.
    private mutating func putASCII(
        _ bytes: String.UTF8View, length: Int, at point: Point, style: Style
    ) {
        let first = max(0, point.x)
        let end = point.x + length
        guard first < end else { return }
        severWide(at: first, y: point.y)
        severWide(at: end, y: point.y)
        let start = point.y * size.columns
        var place = bytes.index(bytes.startIndex, offsetBy: first - point.x)
        for index in (start + first)..<(start + end) {
            cells[index] = Cell(ascii: bytes[place], style: style)
            bytes.formIndex(after: &place)
        }
    }

    private mutating func place(_ glyph: Glyph, x: Int, y: Int, style: Style) {
        if !glyph.parts.isEmpty {
            var x = x
            for part in glyph.parts {
                place(part, x: x, y: y, style: style)
                x += part.columns
            }
            return
        }
        let end = x + glyph.columns
        guard end > 0 else { return }
        guard x >= 0 else {
            place(Glyph(" "), x: 0, y: y, style: style)
            return
        }
        severWide(at: x, y: y)
        severWide(at: end, y: y)
        let index = y * size.columns + x
        cells[index] = Cell(glyph, style: style)
        if glyph.columns == 2 { cells[index + 1] = Cell(continuing: style) }
    }

    /// Blanks a wide glyph that crosses the left edge of column `x`, because one half is
    /// overwritten.
    private mutating func severWide(at x: Int, y: Int) {
        guard x > 0, x < size.columns else { return }
        let index = y * size.columns + x
        guard cells[index].columns == 0 else { return }
        cells[index - 1] = Cell(blank: cells[index - 1].style)
        cells[index] = Cell(blank: cells[index].style)
    }

    /// Fills a region with `character`, which must take one column, for example to blank the region
    /// or to draw a line.
    package mutating func fill(
        _ rect: Rect, with character: Character = " ", style: Style = .standard
    ) {
        let area = rect.intersection(bounds)
        guard !area.isEmpty else { return }
        let cell = Cell(Glyph(character), style: style)
        for y in area.y..<area.maxY {
            severWide(at: area.x, y: y)
            severWide(at: area.maxX, y: y)
            let start = y * size.columns
            for index in (start + area.x)..<(start + area.maxX) {
                cells[index] = cell
            }
        }
    }
}

extension Canvas {
    /// Draws a frame of lines along the inner edge of `rect`, with a title in its upper line, and
    /// leaves the inside unchanged. Draws nothing if the region is narrower or lower than two
    /// cells.
    package mutating func frame(
        _ rect: Rect, title: String = "", style: Style = .standard, titleStyle: Style? = nil
    ) {
        guard rect.width >= 2, rect.height >= 2 else { return }
        let last = rect.maxY - 1
        fill(rect.row(0), with: "─", style: style)
        fill(rect.row(rect.height - 1), with: "─", style: style)
        for x in [rect.x, rect.maxX - 1] {
            let side = Rect(x: x, y: rect.y, width: 1, height: rect.height)
            fill(side, with: "│", style: style)
        }
        put("┌", at: rect.origin, style: style)
        put("┐", at: Point(x: rect.maxX - 1, y: rect.y), style: style)
        put("└", at: Point(x: rect.x, y: last), style: style)
        put("┘", at: Point(x: rect.maxX - 1, y: last), style: style)
        let room = rect.width - 4
        guard !title.isEmpty, room > 0 else { return }
        let shown = " " + DisplayText.truncated(title, to: room) + " "
        put(shown, at: Point(x: rect.x + 1, y: rect.y), style: titleStyle ?? style)
    }
}

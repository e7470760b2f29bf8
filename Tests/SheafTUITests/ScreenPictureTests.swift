import Foundation
import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// The README's pictures of the screen, as SVG.
@MainActor
@Suite("Pictures")
struct ScreenPictureTests {
    private let tags = Fixtures.tags(["+House", "+Garden", "@phone", "book"])

    private func item(
        _ index: Int, _ name: String, _ tags: [Int] = [], due days: Int? = nil,
        _ priority: Priority? = nil, repeats: String? = nil, done: Bool = false
    ) -> Item {
        var item = Fixtures.item(index, name)
        item.tags = Set(tags.map { self.tags[$0].id })
        item.due = days.map { CalendarDay("2023-11-14")?.advanced(days: $0) } ?? nil
        item.priority = priority
        item.repeat = repeats.flatMap { Repeat($0) }
        item.doneAt = done ? Fixtures.now : nil
        return item
    }

    private var items: [Item] {
        [
            item(1, "Renew the car insurance", due: -1, .a),
            item(2, "Call the boiler engineer, pressure drops", [0, 2], due: 1, .b),
            item(3, "Water the plants", [1], due: 0, repeats: "1w"),
            item(4, "Host the photos on @phone until the disk is back", [2], due: 3),
            item(5, "Clear the gutters before the first frost", [0], due: 12),
            item(6, "Prune the espalier pear", [1]),
            item(7, "Thinking in Systems", [3]),
            item(8, "The Art of Computer Programming, vol. 4B", [3], due: 60),
            item(9, "Return the tile cutter to Jonas", [0], done: true),
            item(10, "日本語の本を読む", [3]),
        ]
    }

    @Test("the README's pictures are those of the program", arguments: ["dark", "light"])
    func readme(theme: String) async throws {
        let driver = await Driver(
            tags: tags, views: [.agenda], items: items, size: Size(columns: 84, rows: 15))
        driver.type("j")
        let drawn = ScreenPicture(isDark: theme == "dark").svg(of: driver.canvas)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Resources/screen-\(theme).svg")
        if ProcessInfo.processInfo.environment["SHEAF_RECORD"] != nil {
            try Data(drawn.utf8).write(to: file)
        } else {
            let recorded = try String(decoding: Data(contentsOf: file), as: UTF8.self)
            #expect(drawn == recorded, "`make screenshots` draws it anew")
        }
    }
}

/// A canvas as SVG, in the colors of a dark or a light terminal.
private struct ScreenPicture {
    let isDark: Bool

    /// In pixels: the columns of the common monospaced fonts are 0.6 of their height.
    private static let (column, row, font) = (8.4, 16.4, 14.0)
    private static let margin = 10.0

    private var text: String { isDark ? "#d0d0d0" : "#303030" }
    private var background: String { isDark ? "#1c1c1c" : "#fafafa" }

    func svg(of canvas: Canvas) -> String {
        let size = canvas.bounds
        let width = Double(size.width) * Self.column + 2 * Self.margin
        let height = Double(size.height) * Self.row + 2 * Self.margin
        var lines = [
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 \(width) \(height)'"
                + " font-family='DejaVu Sans Mono, Menlo, Consolas, monospace'"
                + " font-size='\(Self.font)'>",
            "<title>Sheaf in a terminal: tags on the left, items with their dates on the right</title>",
            "<rect width='100%' height='100%' rx='6' fill='\(background)'/>",
        ]
        for y in 0..<size.height { lines += runs(of: Array(canvas.row(y)), y: y) }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// A row, cut where the style changes.
    private func runs(of cells: [Cell], y: Int) -> [String] {
        var lines: [String] = []
        var start = 0
        while start < cells.count {
            let style = cells[start].style
            let end = cells[start...].firstIndex { $0.style != style } ?? cells.count
            if style.background != .standard || style.attributes.contains(.reverse) {
                lines.append(rectangle(from: start, to: end, y: y, style))
            }
            lines += words(cells, start..<end).map { letters(cells[$0], y: y, style) }
            start = end
        }
        return lines
    }

    /// The parts of a run that have no space at their ends, and none of two columns within.
    private func words(_ cells: [Cell], _ run: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        for column in run where cells[column].text != " " {
            if let last = words.last, column - last.upperBound < 2 {
                words[words.count - 1] = last.lowerBound..<column + 1
            } else {
                words.append(column..<column + 1)
            }
        }
        return words
    }

    private func rectangle(from start: Int, to end: Int, y: Int, _ style: Style) -> String {
        let fill = style.attributes.contains(.reverse) ? text : color(style.background)
        return "<rect x='\(x(start))' y='\(self.y(Double(y)))'"
            + " width='\(rounded(x(end) - x(start)))' height='\(Self.row)' fill='\(fill)'/>"
    }

    private func letters(_ cells: ArraySlice<Cell>, y: Int, _ style: Style) -> String {
        let text = cells.map(\.text).joined()
        let (start, end) = (cells.startIndex, cells.endIndex)
        let isReverse = style.attributes.contains(.reverse)
        let fill = isReverse ? background : color(style.foreground)
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<text x='\(x(start))' y='\(self.y(Double(y) + 0.77))'"
            + " textLength='\(rounded(x(end) - x(start)))' lengthAdjust='spacingAndGlyphs' fill='\(fill)'"
            + (style.attributes.contains(.bold) ? " font-weight='bold'" : "")
            + (style.attributes.contains(.dim) ? " fill-opacity='0.65'" : "")
            + (style.attributes.contains(.underline) ? " text-decoration='underline'" : "")
            + ">\(escaped)</text>"
    }

    private func x(_ column: Int) -> Double { rounded(Self.margin + Double(column) * Self.column) }

    private func y(_ rows: Double) -> Double { rounded(Self.margin + rows * Self.row) }

    private func rounded(_ pixels: Double) -> Double { (pixels * 10).rounded() / 10 }

    private func color(_ color: Color) -> String {
        guard case .palette(let number) = color else { return text }
        return switch number {
        case 160: isDark ? "#ef6b6b" : "#b3261e"
        case 28: isDark ? "#7fc97f" : "#2e7d32"
        case 136: isDark ? "#e0b84c" : "#8a6100"
        case 26: isDark ? "#6ea8fe" : "#1f5fbf"
        case 163: isDark ? "#cf8ef4" : "#8a2fb0"
        case 30: isDark ? "#5cc8d7" : "#00707f"
        case 231: "#ffffff"
        case 238: "#444444"
        default: text
        }
    }
}

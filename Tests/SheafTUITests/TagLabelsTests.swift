import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// How a row is divided between a name and tags.
@Suite("The tags of a row")
struct TagLabelsTests {
    private let tags = Fixtures.tags(["book", "swift", "+日本"])

    /// A row of that many columns, with a name of that many signs.
    private func row(_ columns: Int, name: Int) -> String {
        let region = Rect(x: 0, y: 0, width: columns, height: 1)
        var canvas = Canvas(size: region.size)
        let shown = TagLabels(tags.map { ($0, found: []) }, in: columns, beside: name)
        let room = min(shown.room(in: columns), name)
        canvas.put(String(repeating: "=", count: room), at: region.origin)
        shown.draw(at: Point(x: room, y: 0), style: { $0 }, on: &canvas)
        return canvas.textRows[0]
    }

    @Test(
        "the name has its room first, then the tags from the first one on, with a mark for others",
        arguments: [
            (30, 6, "======  #book #swift +日本"), (26, 6, "======  #book #swift +日本"),
            (25, 6, "======  #book #swift …"), (22, 6, "======  #book #swift …"),
            (21, 6, "======  #book …"), (15, 6, "======  #book …"), (14, 6, "======  #book…"),
            (13, 6, "======  #boo…"), (12, 6, "======  #bo…"), (11, 6, "======"),
            (8, 6, "======"), (6, 6, "======"), (4, 6, "===="), (1, 6, "="),
        ])
    func room(columns: Int, name: Int, shown: String) {
        let row = row(columns, name: name)
        #expect(row.trimmedEnd == shown, "\(columns)")
        #expect(DisplayText.width(of: row) == columns)
    }

    @Test(
        "the name gives way to the tag that the item was found by, where that has room in half a row",
        arguments: [
            (30, 4, 2, "#book #swift +日本"), (30, 30, 0, "#book …"),
            (30, 30, 2, "+日本 …"), (18, 18, 2, "+日本 …"), (16, 16, 1, "#swift"),
            (14, 14, 1, "#swi…"), (16, 5, 1, "#swift …"),
            (10, 10, 2, ""), (6, 6, 2, ""), (5, 5, 2, ""),
        ])
    func found(columns: Int, name: Int, needed: Int, shown: String) {
        let region = Rect(x: 0, y: 0, width: columns, height: 1)
        var canvas = Canvas(size: region.size)
        let tags = tags.map { tag in (tag, found: tag.label.map { "wio本".contains($0) }) }
        let row = TagLabels(tags, in: columns, beside: name, showing: needed)
        row.draw(at: Point(x: row.room(in: columns), y: 0), style: { $0 }, on: &canvas)
        #expect(canvas.textRows[0].trimmingPrefix { $0 == " " } == shown)
        #expect(row.room(in: columns) >= min(name, columns / 2))
        let isMarked = canvas.cells(of: region).contains {
            $0.style.attributes.contains(.underline)
        }
        #expect(isMarked == !shown.isEmpty)
    }

    @Test("at any width nothing is drawn over a name, and two columns stay free beside it")
    func everyWidth() {
        for columns in 1...60 {
            for name in 0...columns {
                let row = Array(row(columns, name: name))
                #expect(row.prefix(name).allSatisfy { $0 == "=" })
                #expect(row.dropFirst(name).prefix(2).allSatisfy { $0 == " " })
            }
        }
    }
}

extension String {
    /// The text without spaces at its end.
    fileprivate var trimmedEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

import SheafApp
import Testing

@Suite struct LayoutTests {
    @Test("what has no size is laid out as one cell of the list", arguments: [0, -3, 1])
    func minSize(columns: Int) {
        let layout = Layout(size: Size(columns: columns, rows: columns), focus: .items)
        let cell = Rect(x: 0, y: 0, width: 1, height: 1)
        #expect(layout.size == cell.size)
        #expect(layout.items?.rows == cell)
        #expect(layout.header == nil && layout.status == nil && layout.tags == nil)
    }

    @Test("the inspector stands beside the list from 120 columns on, else below it, or gives way")
    func inspector() {
        for columns in 1...130 {
            for rows in 1...30 {
                let size = Size(columns: columns, rows: rows)
                for focus in Pane.allCases {
                    let layout = Layout(size: size, focus: focus, showsInspector: true)
                    let place = "\(columns)x\(rows), \(focus)"
                    let lists = [layout.tags, layout.items, layout.inspector].compactMap(\.self)
                    for list in lists {
                        let frame = list.frame ?? list.rows
                        #expect(frame.intersection(Rect(size)) == frame, "\(place)")
                        for other in lists where other != list {
                            // A frame may share its line with that of its neighbour.
                            let common = list.rows.intersection(other.frame ?? other.rows)
                            #expect(common.isEmpty, "\(place)")
                        }
                    }
                    let shown = (layout.items ?? layout.tags)?.rows.height ?? 0
                    #expect(layout.paneRows == max(shown, 1), "\(place)")
                    guard let inspector = layout.inspector else { continue }
                    #expect(layout.paneRows >= 4 || columns >= 120, "\(place)")
                    #expect(inspector.rows.height >= 2 || columns >= 120, "\(place)")
                    #expect(inspector.rows.width >= 22, "\(place)")
                    #expect((inspector.rows.x > 1) == (columns >= 120), "\(place)")
                }
            }
        }
        #expect(
            Layout(size: Size(columns: 80, rows: 24), focus: .items, showsInspector: true).inspector
                != nil)
    }

    @Test("a box leaves the row in sight that it is about, where there is room beside that")
    func avoidance() {
        for rows in 1...40 {
            let layout = Layout(size: Size(columns: 80, rows: rows), focus: .items)
            for y in 0..<rows {
                let box = layout.box(columns: 40, rows: 17, avoiding: y)
                #expect(box.intersection(Rect(layout.size)) == box)
                #expect(box.height >= min(layout.box(columns: 40, rows: 17).height, 6))
                if rows >= 16 { #expect(!(box.y..<box.maxY ~= y), "line \(y) of \(rows)") }
            }
        }
    }

    @Test("the two panes and the line between them fill the screen, whatever its size")
    func panes() {
        for columns in 1...140 {
            for rows in [1, 2, 5, 6, 24, 60] {
                let layout = Layout(size: Size(columns: columns, rows: rows), focus: .items)
                let parts = [
                    layout.tags.map { $0.frame ?? $0.rows }, layout.divider,
                    layout.items.map { $0.frame ?? $0.rows },
                ].compactMap(\.self)
                #expect(parts.reduce(0) { $0 + $1.width } == columns)
                #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.maxX == $1.x })
                #expect(layout.items?.rows.height == layout.paneRows)
            }
        }
    }

    @Test("a box beside a row covers neither it nor the status line, where there is room")
    func besideRow() throws {
        for columns in [1, 10, 40, 80, 200] {
            for rows in 1...40 {
                let layout = Layout(size: Size(columns: columns, rows: rows), focus: .items)
                let list = try #require(layout.items?.rows)
                for row in list.y..<list.maxY {
                    let box = layout.box(columns: 44, rows: 9, beside: row)
                    #expect(!box.isEmpty)
                    #expect(box.intersection(Rect(layout.size)) == box)
                    #expect(rows < 3 || !(box.y..<box.maxY).contains(row), "\(rows) rows, \(row)")
                    if let header = layout.header { #expect(box.y >= header.maxY) }
                    if let status = layout.status, rows > 2 { #expect(box.maxY <= status.y) }
                    if rows >= 24 { #expect(box.height == 9) }
                }
            }
        }
    }
}

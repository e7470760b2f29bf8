import Testing

@testable import Terminal

@Suite struct CanvasTests {
    private let bold = Style(attributes: .bold)
    private let blue = Style(foreground: .palette(4))

    private func canvas(_ columns: Int, _ rows: Int = 1) -> Canvas {
        Canvas(size: Size(columns: columns, rows: rows))
    }

    @Test("text is drawn and its columns returned")
    func put() {
        var canvas = canvas(8)
        #expect(canvas.put("ab", at: Point(x: 1, y: 0)) == 2)
        #expect(canvas.put("日", at: Point(x: 3, y: 0), style: bold) == 2)
        #expect(canvas.textRows == [" ab日   "])
        #expect(canvas[3, 0].columns == 2)
        #expect(canvas[4, 0].columns == 0)
        #expect(canvas[4, 0].style == bold)
    }

    @Test("text is cut off at every edge")
    func clipping() {
        var canvas = canvas(4, 2)
        #expect(canvas.put("abcdef", at: Point(x: 2, y: 0)) == 2)
        #expect(canvas.put("abc", at: Point(x: -2, y: 1)) == 3)
        #expect(canvas.textRows == ["  ab", "c   "])
        #expect(canvas.put("x", at: Point(x: 4, y: 0)) == 0)
        #expect(canvas.put("xy", at: Point(x: 0, y: 2)) == 2)
        #expect(canvas.put("xy", at: Point(x: 0, y: -1)) == 2)
        #expect(canvas.put("x", at: Point(x: 0, y: 0), maxColumns: 0) == 0)
        #expect(canvas.put("日本語", at: Point(x: -3, y: 0), maxColumns: -5) == 0)
        #expect(canvas.textRows == ["  ab", "c   "])
    }

    @Test("a wide glyph is never cut in two")
    func wideClipping() {
        var canvas = canvas(4, 3)
        canvas.put("xxxx", at: Point(x: 0, y: 0))
        #expect(canvas.put("a日本", at: Point(x: 0, y: 0)) == 4)
        #expect(canvas.put("a日b", at: Point(x: 0, y: 1), maxColumns: 2) == 2)
        #expect(canvas.put("日本", at: Point(x: -1, y: 2)) == 4)
        #expect(canvas.textRows == ["a日 ", "a   ", " 本 "])
    }

    @Test(
        "what overwrites half of a wide glyph erases the other half",
        arguments: [
            (0, "x 本", "x"), (1, " x本", "x"), (2, "日x ", "x"), (1, " 語 ", "語"), (3, "日 x", "x"),
        ])
    func overwriting(x: Int, expected: String, text: String) {
        var canvas = canvas(4)
        canvas.put("日本", at: Point(x: 0, y: 0), style: bold)
        canvas.put(text, at: Point(x: x, y: 0))
        #expect(canvas.textRows == [expected])
        #expect(canvas.row(0).reduce(0) { $0 + $1.columns } == 4)
    }

    @Test("a fill that begins or ends within wide glyphs erases their halves")
    func fill() {
        var canvas = canvas(6, 2)
        canvas.put("日本語", at: Point(x: 0, y: 0))
        canvas.fill(Rect(x: 1, y: 0, width: 2, height: 9), style: blue)
        #expect(canvas.textRows == ["    語", "      "])
        #expect(canvas.styleRows == [".aa...", ".aa..."])
        canvas.fill(Rect(x: 5, y: 5, width: 2, height: 9), style: blue)
    }

    @Test("a frame carries its title, shortened to fit")
    func frame() {
        var canvas = canvas(9, 3)
        canvas.put("x", at: Point(x: 4, y: 1))
        canvas.frame(canvas.bounds, title: "Tags", titleStyle: bold)
        #expect(canvas.textRows == ["┌ Tags ─┐", "│   x   │", "└───────┘"])
        #expect(canvas.styleRows[0] == ".aaaaaa..")
        canvas.frame(canvas.bounds, title: "日本語日本語")
        #expect(canvas.textRows[0] == "┌ 日本… ┐")
        var small = Canvas(size: Size(columns: 2, rows: 2))
        small.frame(small.bounds, title: "Tags")
        #expect(small.textRows == ["┌┐", "└┘"])
        small = Canvas(size: Size(columns: 1, rows: 1))
        small.frame(small.bounds, title: "Tags")
        #expect(small.textRows == [" "])
    }

    @Test("a golden text shows size, cursor, text and styles")
    func golden() {
        var canvas = canvas(5, 2)
        canvas.put("日a", at: Point(x: 0, y: 0), style: bold)
        canvas.put("b", at: Point(x: 4, y: 1), style: blue)
        canvas.cursor = Point(x: 2, y: 1)
        #expect(
            canvas.goldenText == """
                5x2, cursor at 2,1
                +-----+
                |日a  |
                |    b|
                +-----+

                +-----+
                |aaa..|
                |....b|
                +-----+
                a  bold
                b  fg=4

                """)
        canvas.cursor = Point(x: 5, y: 0)
        #expect(canvas.goldenText.hasPrefix("5x2, no cursor\n"))
    }

    @Test("no size is too small", arguments: [(0, 0), (1, 1), (-3, 2), (1, 0)])
    func tiny(columns: Int, rows: Int) {
        var canvas = canvas(columns, rows)
        canvas.put("日本語", at: Point(x: 0, y: 0))
        canvas.frame(canvas.bounds, title: "x")
        canvas.fill(canvas.bounds.inset())
        #expect(canvas.textRows.count == max(0, rows))
    }
}

import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Keys that edit the open line, and the text that is typed into it.
@MainActor
@Suite("Keys that open a line")
struct KeyLineTests {
    @Test("a rename keeps every byte, and a cancelled one none")
    func rename() async {
        let driver = await Driver.lettered("abc")
        driver.type("r ^U '日本語' Space 'e\u{301}' Enter j r 'x' Esc")
        #expect(driver.names == ["日本語 e\u{301}", "b", "c"])
        #expect(Array(driver.names[0].utf8) == Array("日本語 e\u{301}".utf8))
    }

    @Test("text that comes in one burst is one edit, up to a paste or a key that is none")
    func burst() async {
        let driver = await Driver.lettered("abc")
        driver.type("j")
        var actions = 0
        let subscription = driver.store.subscribe { _ in actions += 1 }
        let text = String(repeating: "dd q\u{e9}\u{301} ", count: 200)
        KeyDispatcher(store: driver.store).handle(
            Driver.keys("a") + text.unicodeScalars.map { Key(.character(Character($0))) }
                + [Key(.paste("x\ny"))] + Driver.keys("Backspace 'z'"))
        subscription.cancel()
        driver.type("Enter")
        // The first call has the present state.
        #expect(actions == 1 + 5)
        #expect(driver.names == ["a", "b", text + "x z", "c"])
    }

    @Test("a line shows at which of its ends more of it is hidden")
    func hiddenEnds() async {
        let name = (1...30).map(String.init).joined(separator: " ")
        let driver = await Driver(items: Fixtures.items([name]), size: Size(columns: 60, rows: 12))
        func line(_ keys: String) -> String {
            driver.type(keys)
            return driver.canvas.textRows.first { $0.contains("28") || $0.contains("1 2 3") } ?? ""
        }
        let end = line("r")
        #expect(end.contains("‹") && end.contains(" 29 30 ") && !end.contains("›"), "\(end)")
        let beginning = line("^A")
        #expect(beginning.contains("○ 1 2 3 ") && beginning.contains("›"), "\(beginning)")
        driver.type("^E" + String(repeating: " Alt-b", count: 9))
        let middle = driver.canvas.textRows[2]
        #expect(middle.contains("‹") && middle.hasSuffix(" 20 21 2› "), "\(middle)")
        driver.type("Esc / 'so_many_words_before_these'")
        #expect(driver.canvas.textRows[11].hasPrefix("/‹"))
        driver.type("^A")
        #expect(driver.canvas.textRows[11].hasPrefix("/so many words befor›"))
        driver.type("Esc D '\(name.replacing(" ", with: "_"))'")
        #expect(driver.text.contains("› ‹"))
    }

    @Test("the caret stands on its letter in a field of any width", arguments: 1...14)
    func caret(columns: Int) {
        let text = "ab日本cde\u{301}f語gh"
        var line = LineEditor(text)
        line.apply(.beginningOfLine)
        for offset in 0...text.count {
            var canvas = Canvas(size: Size(columns: columns + 2, rows: 1))
            let field = Rect(x: 1, y: 0, width: columns, height: 1)
            let shown = canvas.put(line, in: field, style: Theme.draft)
            let cursor = canvas.cursor ?? Point(x: 0, y: 0)
            #expect(field.contains(cursor))
            if columns >= 6 {
                let letter = line.afterCaret.first.map(String.init) ?? " "
                #expect(canvas[cursor.x, 0].text == letter, "\(offset)")
                #expect((canvas[1, 0].text == "‹") == (shown.lowerBound > 0), "\(offset)")
                #expect(
                    (canvas[columns, 0].text == "›") == (shown.upperBound < text.utf8.count),
                    "\(offset)")
            }
            #expect(canvas[0, 0].text == " " && canvas[columns + 1, 0].text == " ")
            line.apply(.forwardChar)
        }
    }
}

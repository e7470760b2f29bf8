import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import sheaf

/// The meaning of arguments for a list, and the display of faults.
@Suite("Queries from arguments")
struct ItemSelectionTests {
    private func found(_ query: String, _ items: [Item], now: Timestamp) throws -> [String] {
        let search = try ItemSelection(query: query).search(in: [], now: now, calendar: .utc)
        return items.filter { search.finds($0) }.map(\.name)
    }

    @Test("days are those of the clock that it is given")
    func clock() throws {
        let items = Fixtures.items(["new", "a day old", "two days old"])
        let tomorrow = Timestamp(milliseconds: Fixtures.now.milliseconds + 86_400_000)
        #expect(try found("created:today", items, now: Fixtures.now) == ["new"])
        #expect(try found("created:yesterday", items, now: Fixtures.now) == ["a day old"])
        #expect(try found("created:yesterday", items, now: tomorrow) == ["new"])
        #expect(try found("created:today", items, now: tomorrow) == [])
    }

    @Test("white space alone asks for nothing")
    func empty() throws {
        #expect(try ItemSelection(query: " \n").isEmpty)
        #expect(try !ItemSelection(query: "-x").isEmpty)
    }

    @Test(
        "the mark is below the place, whatever the width of what is before",
        arguments: [
            ("ab cd", 3..<5, "ab cd", "   ^^"), ("日本 x", 7..<8, "日本 x", "     ^"),
            ("日本", 0..<6, "日本", "^^^^"), ("ab", 2..<2, "ab", "  ^"),
            ("\u{1B}[2Ja\u{202E} b", 9..<10, "␛[2Ja� b", "       ^"),
            ("e\u{301}\u{301} b", 6..<7, "e\u{301}\u{301} b", "  ^"),
            ("🇩🇪 👩‍👩‍👧 b", 28..<29, "🇩🇪 👩 b", "      ^"),
        ])
    func mark(query: String, place: Range<Int>, text: String, mark: String) {
        let excerpt = QueryExcerpt(query, marking: place)
        #expect(excerpt.mark == mark, "\(excerpt.text)")
        #expect(
            DisplayText.width(of: excerpt.text)
                == DisplayText.width(of: DisplayText.sanitized(query))
        )
    }

    @Test("of a long query the place is shown with what is around it")
    func long() {
        let words = String(repeating: "日 ", count: 500)
        let query = words + "#none" + words
        let excerpt = QueryExcerpt(query, marking: words.utf8.count..<words.utf8.count + 5)
        #expect(DisplayText.width(of: excerpt.text) < 120)
        #expect(excerpt.text.hasPrefix("…") && excerpt.text.hasSuffix("…"))
        let before = excerpt.mark.prefix { $0 == " " }.count
        #expect(excerpt.mark.dropFirst(before) == "^^^^^")
        let start = DisplayText.count(of: excerpt.text, within: before)
        #expect(excerpt.text.dropFirst(start).hasPrefix("#none"))
    }

    @Test("any text is shown without harm, wherever the place", arguments: HostileText.all)
    func hostile(text: String) {
        for place in [0..<1, 1..<text.utf8.count + 1, text.utf8.count..<text.utf8.count, 5..<999] {
            let excerpt = QueryExcerpt(text, marking: place)
            #expect(DisplayText.sanitized(excerpt.text) == excerpt.text)
        }
    }
}

import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("Days and priorities in Markdown")
struct MarkdownFieldTests {
    private func item(_ line: String) throws -> Item {
        try #require(try RoundTrip.list(line, .markdown).items.first)
    }

    private func described(_ item: Item) -> String {
        [
            item.name, item.priority?.description, item.due?.description,
            item.scheduled?.description, item.repeat?.description,
        ].map { $0 ?? "-" }.joined(separator: "|")
    }

    @Test(
        "are read as plain words and as the signs of Obsidian's Tasks",
        arguments: [
            ("Pay due:2026-03-06", "Pay|-|2026-03-06|-|-"),
            ("Pay #home rec:+1m pri:A #work t:2026-03-01", "Pay|A|-|2026-03-01|+1m"),
            ("Pay 📅 2026-03-06", "Pay|-|2026-03-06|-|-"),
            ("Pay 📅2026-03-06 #home", "Pay|-|2026-03-06|-|-"),
            ("Pay 🗓️ 2026-03-06", "Pay|-|2026-03-06|-|-"),
            ("Pay ⏳ 2026-03-01 📅 2026-03-06 ⏫", "Pay|B|2026-03-06|2026-03-01|-"),
            ("Pay 🛫 2026-03-01", "Pay|-|-|2026-03-01|-"),
            ("Pay 🔺 🔁 every month 📅 2026-03-06", "Pay|A|2026-03-06|-|+1m"),
            ("Pay 🔁 every 2 weeks when done #a", "Pay|-|-|-|2w"),
            ("Pay 🔁 every weekday", "Pay|-|-|-|+1b"),
            ("Pay ⏬", "Pay|E|-|-|-"),
            // Unreadable values stay.
            ("Pay 📅 2026-02-30", "Pay 📅 2026-02-30|-|-|-|-"),
            ("Pay 📅 soon ⏫", "Pay 📅 soon|B|-|-|-"),
            ("Pay ⏫ 🔁 every full moon 📅 2026-03-06", "Pay 🔁 every full moon|B|2026-03-06|-|-"),
            ("Pay 🔁 every month on the last 🔽", "Pay 🔁 every month on the last|D|-|-|-"),
            ("Pay ⏫ ⏬", "Pay ⏫|E|-|-|-"), ("Pay ⏫ ❌ 2026-03-06", "Pay ❌ 2026-03-06|B|-|-|-"),
            ("Pay ⏫ 🆔 abc", "Pay|B|-|-|-"), ("Pay 📅", "Pay 📅|-|-|-|-"),
            ("⏫", "⏫|-|-|-|-"), ("due:2026-03-06", "due:2026-03-06|-|-|-|-"),
            ("Pay due:2026-3-6", "Pay due:2026-3-6|-|-|-|-"), ("Pay rec:0d", "Pay rec:0d|-|-|-|-"),
            ("Pay due:2026-03-06 now", "Pay due:2026-03-06 now|-|-|-|-"),
            ("Pay \\due:2026-03-06", "Pay due:2026-03-06|-|-|-|-"),
            ("Pay note:x due:2026-03-06", "Pay note:x|-|2026-03-06|-|-"),
            ("Pay due:2026-03-05 due:2026-03-06", "Pay due:2026-03-05|-|2026-03-06|-|-"),
            ("Pay ⏫ due:2026-02-30 #home", "Pay due:2026-02-30|B|-|-|-"),
            ("Pay rec:w", "Pay|-|-|-|1w"), ("Pay recday:31 rec:+1m", "Pay|-|-|-|+1m@31"),
            // A recurrence on a day fits an item of that day.
            ("Pay 🔁 every Tuesday 📅 2026-03-03", "Pay|-|2026-03-03|-|+1w"),
            ("Pay 📅 2026-03-03 🔁 every week on Tuesday", "Pay|-|2026-03-03|-|+1w"),
            ("Pay 🔁 every Friday ⏳ 2026-03-06", "Pay|-|-|2026-03-06|+1w"),
            ("Pay 🔁 every 2 weeks on Tuesday 📅 2026-03-03", "Pay|-|2026-03-03|-|+2w"),
            ("Pay 🔁 every month on the 1st 📅 2026-03-01", "Pay|-|2026-03-01|-|+1m"),
            ("Pay 🔁 every month on the last 📅 2026-02-28", "Pay|-|2026-02-28|-|+1m@31"),
            ("Pay 🔁 every January on the 15th 📅 2026-01-15", "Pay|-|2026-01-15|-|+1y"),
            (
                "Pay 🔁 every Tuesday 📅 2026-03-04",
                "Pay 🔁 every Tuesday|-|2026-03-04|-|-"
            ),
            (
                "Pay 🔁 every month on the 2nd Friday 📅 2026-03-13",
                "Pay 🔁 every month on the 2nd Friday|-|2026-03-13|-|-"
            ),
            // Neither a link nor a comment hides the signs before it.
            ("Pay ⏫ 📅 2026-03-06 ^b1", "Pay|B|2026-03-06|-|-"),
            ("Pay 📅 2026-03-06 <!-- by card --> ^b1", "Pay|-|2026-03-06|-|-"),
            ("Pay 🛫 2026-03-01 ⏳ 2026-03-02", "Pay|-|-|2026-03-02|-"),
            ("Pay ⏳ 2026-03-02 🛫 2026-03-01", "Pay|-|-|2026-03-02|-"),
        ])
    func read(line: String, expected: String) throws {
        let item = try item("- [ ] \(line)")
        #expect(described(item) == expected)
        let copy = try RoundTrip.copy("- [ ] \(line)", .markdown)
        #expect(described(try self.item(copy)) == expected, "\(copy)")
    }

    @Test(
        "the words of the name in the comment are a name, whatever they say beside others",
        arguments: [
            ("pay recday:31 rec:+1m", "pay recday:31", "pay recday:31|-|-|-|+1m"),
            ("pay recday:31 recday:30 rec:+1m", "pay recday:31", "pay recday:31|-|-|-|+1m@30"),
            ("pay pri:A pri:B", "pay pri:A", "pay pri:A|B|-|-|-"),
            // Another program has renamed it.
            ("buy recday:31 rec:+1m", "pay recday:31", "buy|-|-|-|+1m@31"),
            ("pay recday:31 now rec:+1m", "pay recday:31", "pay recday:31 now|-|-|-|+1m"),
        ])
    func named(line: String, name: String, expected: String) throws {
        let item = try item("- [ ] \(line) <!-- sheaf: {\"name\": \"\(name)\"} -->")
        #expect(described(item) == expected)
    }

    @Test("a day when it was done or made is told where the item is done")
    func times() throws {
        let done = try item("- [x] Pay ➕ 2026-01-02 📅 2026-03-06 ✅ 2026-03-05")
        #expect(described(done) == "Pay|-|2026-03-06|-|-")
        #expect(done.doneAt == Timestamp(iso8601: "2026-03-05"))
        #expect(done.createdAt == Timestamp(iso8601: "2026-01-02"))
        #expect(try item("- [ ] Pay ✅ 2026-03-05").name == "Pay ✅ 2026-03-05")
        #expect(try item("- [x] Pay ✅ 2026-02-30").name == "Pay ✅ 2026-02-30")
    }

    @Test(
        "come back as the line had them",
        arguments: [
            "- [ ] Pay 🔺 🔁 every month 🛫 2026-03-01 ⏳ 2026-03-02 📅 2026-03-06 ^b1",
            "- [x] Pay ➕ 2026-01-02 📆 2026-03-06 ✅ 2026-03-05",
            "- [x] Pay 📅 2026-03-06 <!-- by card -->", "- [-] Pay ⏫ 📅 2026-03-06 ❌ 2026-03-05",
            "- [D] Pay", "- [/] Pay", "- [>] Pay", "- [!] Pay #a", "- [?] Pay due:2026-03-06",
            "- [ ] Pay 🆔 abc ⛔ def 📅 2026-03-06", "- [ ] Pay 🔁 every 2 weeks when done",
            "- [ ] Pay ❌ 2026-05-05", "- [ ] every week on Monday", "- [ ] Pay ^b1 <!-- c -->",
            "- [ ] Pay 🔁 every full moon 📅 2026-03-06", "- [ ] Pay ⏳ 2026-03-06 pri:F",
        ])
    func written(line: String) throws {
        let text = line.hasSuffix("#a") ? "## a\n\n\(line.dropLast(3))\n" : line + "\n"
        #expect(try RoundTrip.copy(text, .markdown) == text)
    }

    @Test("words beside signs become signs")
    func mixed() throws {
        let line = "- [ ] Pay ⏫ due:2026-03-06 rec:1w t:2026-03-01\n"
        let copy = try RoundTrip.copy(line, .markdown)
        #expect(copy == "- [ ] Pay ⏫ 📅 2026-03-06 🔁 every week when done ⏳ 2026-03-01\n")
        #expect(try described(item(copy)) == described(item(line)))
    }

    @Test("signs of an item that is edited stay signs, and the box of one that is done closes")
    func editedSigns() throws {
        var item = try item("- [/] Pay 📅 2026-03-06 🔼 ^b1")
        item.due = CalendarDay("2026-03-07")
        item.priority = .a
        item.scheduled = CalendarDay("2026-03-02")
        item.repeat = Repeat("+1w")
        #expect(
            try RoundTrip.text(.markdown, [item], tags: [])
                == "- [/] Pay 📅 2026-03-07 🔺 🔁 every week ⏳ 2026-03-02 ^b1\n")
        item.doneAt = Timestamp(iso8601: "2026-03-05")
        (item.due, item.repeat) = (nil, nil)
        #expect(
            try RoundTrip.text(.markdown, [item], tags: [])
                == "- [x] Pay 🔺 ✅ 2026-03-05 ⏳ 2026-03-02 ^b1\n")
    }

    @Test("values that cannot be read are reported with their lines")
    func unread() throws {
        let text = """
            - [ ] Pay 📅 soon
            - [ ] Pay #a due:2026-02-30 #b
            - [ ] Pay 🔁 every Tuesday 📅 2026-03-04
            - [ ] Pay due:2026-03-05 due:2026-03-06
            """
        #expect(
            try ListFormat.markdown.parse(Data(text.utf8)).unread.map(\.description) == [
                "line 1: \"📅 soon\" has no valid value; kept as text",
                "line 2: \"due:2026-02-30\" has no valid value; kept as text",
                "line 3: \"🔁 every Tuesday\" has no valid value; kept as text",
            ])
    }

    @Test("are written as plain words, and a name that spells one is a name")
    func written() throws {
        var item = Fixtures.item(1, "Pay", tags: [Fixtures.tagID(1)])
        (item.due, item.priority, item.repeat) = (.last, .a, Repeat("2w"))
        let tags = [Fixtures.tag(1, "-")]
        let list = "- [ ] Pay #- pri:A due:9999-12-31 rec:2w\n"
        #expect(
            try RoundTrip.text(.markdown, [item], tags: tags).hasSuffix(
                "pri:A due:9999-12-31 rec:2w\n"))
        #expect([item, item].checklist(tags: tags) == list + list)
        item.name = "Pay due:2026-03-06"
        #expect(
            try RoundTrip.text(.markdown, [item], tags: []).hasSuffix(
                "- [ ] Pay due:2026-03-06 pri:A due:9999-12-31 rec:2w\n"))
        item.due = nil
        #expect(
            try RoundTrip.text(.markdown, [item], tags: []).hasSuffix(
                "- [ ] Pay due:2026-03-06 pri:A rec:2w"
                    + " <!-- sheaf: {\"name\": \"Pay due:2026-03-06\"} -->\n"))
    }
}

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
            // What cannot be read stays.
            ("Pay 📅 2026-02-30", "Pay 📅 2026-02-30|-|-|-|-"),
            ("Pay 📅 soon ⏫", "Pay 📅 soon|B|-|-|-"),
            ("Pay ⏫ 🔁 every full moon 📅 2026-03-06", "Pay 🔁 every full moon|B|2026-03-06|-|-"),
            ("Pay 🔁 every month on the last 🔽", "Pay 🔁 every month on the last|D|-|-|-"),
            ("Pay ⏫ ⏬", "Pay ⏫|E|-|-|-"), ("Pay ⏫ ❌ 2026-03-06", "Pay ❌ 2026-03-06|B|-|-|-"),
            ("Pay ⏫ 🆔 abc", "Pay 🆔 abc|B|-|-|-"), ("Pay 📅", "Pay 📅|-|-|-|-"),
            ("⏫", "⏫|-|-|-|-"), ("due:2026-03-06", "due:2026-03-06|-|-|-|-"),
            ("Pay due:2026-3-6", "Pay due:2026-3-6|-|-|-|-"), ("Pay rec:0d", "Pay rec:0d|-|-|-|-"),
            ("Pay due:2026-03-06 now", "Pay due:2026-03-06 now|-|-|-|-"),
            ("Pay \\due:2026-03-06", "Pay due:2026-03-06|-|-|-|-"),
            ("Pay note:x due:2026-03-06", "Pay note:x|-|2026-03-06|-|-"),
            ("Pay due:2026-03-05 due:2026-03-06", "Pay due:2026-03-05|-|2026-03-06|-|-"),
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

    @Test("are written as plain words, and a name that spells one is a name")
    func written() throws {
        var item = Fixtures.item(1, "Pay", tags: [Fixtures.tagID(1)])
        (item.due, item.priority, item.repeat) = (.last, .a, Repeat("2w"))
        let tags = [Fixtures.tag(1, "-")]
        let list = "- [ ] Pay #- pri:A due:9999-12-31 rec:2w\n"
        #expect(
            try RoundTrip.text(.markdown, [item], tags: tags).hasSuffix(
                "pri:A due:9999-12-31 rec:2w\n"))
        #expect(Checklist.text(of: [item, item], tags: tags) == list + list)
        item.name = "Pay due:2026-03-06"
        #expect(
            try RoundTrip.text(.markdown, [item], tags: []).hasSuffix(
                "- [ ] Pay \\due:2026-03-06 pri:A due:9999-12-31 rec:2w\n"))
    }
}

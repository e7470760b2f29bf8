import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

@testable import SheafFormats

/// Swift Testing has tags of its own.
typealias Tag = SheafList.Tag

/// Lists on their way into a text and back.
enum RoundTrip {
    /// The text of a list, written in pages.
    static func text(
        _ form: ListWriter.Form, _ items: [Item], tags: [Tag], views: [SavedView] = []
    ) throws -> String {
        var bytes: [UInt8] = []
        var writer = ListWriter(form, tags: tags, rows: StorageChanges(views: views)) {
            bytes += $0
        }
        for start in stride(from: 0, to: items.count, by: 7) {
            try writer.write(items[start..<min(start + 7, items.count)])
        }
        try writer.finish()
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    /// The list that an import of `text` into an empty one makes.
    static func list(
        _ text: String, _ format: ListFormat
    ) throws -> (items: [Item], tags: [Tag]) {
        let plan = Importer(now: Fixtures.now).plan(
            try format.read(Data(text.utf8)), tags: [], lastRank: nil, existing: [])
        return (plan.changes.items.upserts, plan.changes.tags.upserts)
    }

    /// The text of a todo.txt or a Markdown file after import and export.
    static func copy(_ text: String, _ format: ListFormat) throws -> String {
        let (items, tags) = try list(text, format)
        return try self.text(format == .markdown ? .markdown : .todotxt, items, tags: tags)
    }

    /// The content of an item to compare, in ASCII, because Swift considers é equal in every
    /// composition.
    static func content(
        _ item: Item, tags: [Tag], tagName: (Tag) -> String = \.name
    ) -> [String] {
        let names = tags.filter { item.tags.contains($0.id) }.map(tagName).sorted()
        let texts =
            [item.name, item.note, item.isDone ? "done" : "open", "\(names.count)"] + names
            + item.extras.flatMap { [$0.key, $0.value] }
            + TodoTask.fields.map { $0.spelling.get(item) ?? "-" }
        return texts.map { $0.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
    }

    /// Tags with names that words and headings cannot spell among them.
    static func tags(using generator: inout SplitMix64) -> [Tag] {
        let fixed = [
            "plain", "to read", "+project", "@home", "12", "#sharp", "C#", "a #", "50%", "%41", "@",
            "a:b", "two\nlines", "ünï", "x <!-- no tag -->", "-", "\\", "//", " edge",
        ]
        let random = (0..<4).map { "r\($0)" + RandomText.text(using: &generator) }
        return (fixed + random).shuffled(using: &generator).enumerated().map {
            Fixtures.tag($0.offset, $0.element)
        }
    }

    /// An item by chance, with names, notes and extras of the kind that these formats stumble over.
    static func item(_ number: Int, tags: [Tag], using generator: inout SplitMix64) -> Item {
        var item = RandomText.item(
            number, tags: Array(tags.shuffled(using: &generator).prefix(3)), using: &generator)
        if Bool.random(using: &generator) { item.name = names.randomElement(using: &generator)! }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            let count = Int.random(in: 1...5, using: &generator)
            item.name = (0..<count).map { _ in words.randomElement(using: &generator)! }
                .joined(separator: " ")
        }
        if Bool.random(using: &generator) { item.note = notes.randomElement(using: &generator)! }
        if Bool.random(using: &generator) {
            item.extras += extras.shuffled(using: &generator).prefix(3)
        }
        func some<Value>(_ value: Value) -> Value? {
            Bool.random(using: &generator) ? value : nil
        }
        item.priority = some(.b)
        item.due = some(.last)
        item.scheduled = some(.first)
        item.repeat = some(rules.randomElement(using: &generator)!)
        return item
    }

    private static let rules = ["+1m", "+1m@31", "2w", "+1y"].map { Repeat($0)! }

    /// Words of names that say something else, some of them only beside others.
    private static let words = [
        "pay", "recday:31", "recday:30", "rec:+1m", "rec:+1m@31", "rec:2w", "due:2026-03-06",
        "t:2026-03-06", "pri:A", "#tag", "+tag", "@tag", "\\recday:31", "\\", "\\pri:A", "📅",
        "2026-03-06", "⏫", "🔁", "every", "week", "✅", "➕", "❌", "note:x", "name:pay", "x", "(A)",
        "todo.txt:x", "extra:a=b", "<!--", "-->", "-", "#",
    ]

    private static let extras = [
        ("due", "2026-3-1"), ("recday", "x"), ("note", "a"), ("name", "b"), ("extra", "c=d"),
        ("t", "a b"),
        ("x-url", "//x.org"), ("", ""), ("key", ""), ("ü", "1"), ("a=b", "c:d"), ("pri", "low"),
        ("todo.txt", "two\nlines"), ("%41", "%41"),
    ].map { Item.Extra(key: $0.0, value: $0.1) }

    private static let names = [
        "Call Mom", "a  b", " a ", " ", "\n", "x done?", "(A) first", "2026-01-02 party",
        "x 2026-01-02 y", "mail @home", "+1 for bob@example.org", "Re:Zero", "note:x", "name:x",
        "extra:a=b", "pri:A", "\\@home", "\\\\due:1", "http://x.org/a", "12:30", "Fix #12",
        "Learn #swift", "C# #", "\\#tag", "#", "# h", "- [ ] box", "[x] box", "1. one", "---",
        "a <!-- sheaf: {} -->", "a <!-- sheaf: {\"name\": \"b\"} -->", "-->", "```", "a\u{A0}b\t",
        "pay due:2026-03-06", "due:2026-03-06", "a pri:B", "a \\due:2026-03-06", "a rec:1w #b",
        "call 📅 2026-03-06", "⏫", "a ⏫", "a 🔁 every week", "a ⏫ ✅ 2026-03-06", "📅", "a 📅",
        "a ➕ 2026-03-06 \\⏫", "a 🔁 now and then 📅2026-03-06", "a ⏫ ❌ x", "a 📅\u{FE0F} 2026-03-06",
        "line\nbreak", "cr\r", "a %20 b", "@ 5 + 6", "\u{301}x +p\u{301}",
    ]

    private static let notes = [
        "one line", "two\nlines", "a\n\nb", "\nfirst", "last\n", "  indented\nback",
        "out\n  in", "\tin", "- [ ] task\n- b\n\\- c", "1. x\n2) y", "# heading\ntext\n---",
        "```\n- [ ] code\n\n  deep\n```\nafter", "```\nopen", "~~~ x\n```\n~~~", " ", "\n\n",
        "a\r\nb", "a:b c%20d", "trail  \nx", "<!-- x -->",
    ]
}

extension StoreURL {
    /// Its place, where nothing of a home folder matters.
    var location: FileLocation {
        get throws { try FileLocation(self, environment: [:]) }
    }
}

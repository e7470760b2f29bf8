import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafFormats

/// Lists by chance; a failure names the seed that makes it again.
@Suite("Formats, by chance")
struct FormatPropertyTests {
    private static let seeds = Array(UInt64(1)...UInt64(Torture.count(4, of: 12)))

    private func list(_ seed: UInt64) -> (items: [Item], tags: [Tag]) {
        var generator = SplitMix64(seed: seed)
        let tags = RoundTrip.tags(using: &generator)
        return ((0..<60).map { RoundTrip.item($0, tags: tags, using: &generator) }, tags)
    }

    @Test("a list that went through Markdown is the same but for times", arguments: seeds)
    func markdown(seed: UInt64) throws {
        let (items, tags) = list(seed)
        let text = try RoundTrip.text(.markdown, items, tags: tags)
        let read = try RoundTrip.list(text, .markdown)
        try #require(read.items.count == items.count)
        for (item, other) in zip(items, read.items) {
            #expect(
                RoundTrip.content(item, tags: tags)
                    == RoundTrip.content(other, tags: read.tags), "\(item.name)")
        }
        #expect(try ListFormat.markdown.parse(Data(text.utf8)).skippedText.isEmpty)
    }

    @Test(
        "Markdown and JSON of a list are the same after an import, whatever the order of its tags",
        arguments: [ListWriter.Form.markdown, .jsonList], seeds)
    func sameText(form: ListWriter.Form, seed: UInt64) throws {
        let (items, tags) = list(seed)
        // Of many tags only some pairs are ever seen together.
        for count in [3, 6, tags.count] {
            let known = Set(tags.prefix(count).map(\.id))
            let items = items.map { item in
                var item = item
                item.tags.formIntersection(known)
                return item
            }
            let text = try RoundTrip.text(form, items, tags: tags)
            let format: ListFormat = form == .markdown ? .markdown : .json
            let read = try RoundTrip.list(text, format)
            let again = try RoundTrip.text(form, read.items, tags: read.tags)
            #expect(again.utf8.elementsEqual(text.utf8), "\(text)")
        }
    }

    @Test(
        "a list that is exported and imported into an empty one is exported as the same text",
        arguments: [ListFormat.lines, .json, .markdown, .todotxt],
        1...UInt64(Torture.count(4, of: 100)))
    func stable(format: ListFormat, seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let tags = ["a", "+b", "@c", "C.", "two words", "a,", "é", "a`", "a](b)"].enumerated().map {
            Fixtures.tag($0, $1)
        }
        let items = (0..<60).map { number in
            var item = RoundTrip.item(number, tags: tags, using: &generator)
            let count = Int.random(in: 1...5, using: &generator)
            item.name = (0..<count).map { _ in Self.words.randomElement(using: &generator)! }
                .joined(separator: " ")
            item.extras = Self.extras.shuffled(using: &generator).prefix(
                Int.random(in: 0...3, using: &generator)
            ).map { $0 }
            item.tags = Set(tags.shuffled(using: &generator).prefix(2).map(\.id))
            return item
        }.filter { !$0.name.allSatisfy(\.isWhitespace) }
        let form: ListWriter.Form =
            switch format {
            case .lines: .lines
            case .json: .jsonStore
            case .markdown: .markdown
            case .todotxt: .todotxt
            }
        let text = try RoundTrip.text(form, items, tags: tags)
        let read = try RoundTrip.list(text, format)
        let again = try RoundTrip.text(form, read.items, tags: read.tags)
        for (line, other) in zip(text.split(separator: "\n"), again.split(separator: "\n")) {
            #expect(line.utf8.elementsEqual(other.utf8))
        }
        #expect(again.utf8.elementsEqual(text.utf8))
        if format == .markdown { #expect(read.items.map(\.name) == items.map(\.name)) }
    }

    private static let words = [
        "mow", "#a", "+b", "@c", "#a,", "@c.", "#A", "#é", "#C.", "due:2026-03-06", "key:v", "\\",
        "\\#a", "\\@c", "\\\\#a", "📅", "2026-03-06", "⏫", "🔁 every week", "✅ 2026-03-06", "[x]",
        "[ ]",
        "- [ ]", "(A)", "x", ">", "^b", "<!-- c -->", "<!-- no tag -->", "note:x", "name:y", "",
        " ", "é", "🆔 k",
        "[a](u)", "`", "``", "[[", "]]", "[", "](", ")", "#a`", "#a]", "#", "##", "1.", "*", "#12",
        "rec:w", "recday:31", "\\due:2026-03-06", "a\tb",
        "<!-- sheaf: {} -->", "❌ 2026-05-05", "every week on", "Monday", "todo.txt:x", "extra:a=b",
    ]

    private static let extras = [
        ("markdown-box", "/"), ("markdown-box", "-"), ("markdown-box", "long"),
        ("markdown-signs", "🔼📅✅"), ("markdown-signs", "🛫⏳🆔"), ("markdown-signs", "no"),
        ("markdown-heading", "## a"), ("markdown-heading", "# two words"),
        ("markdown-heading", "### É"), ("markdown-heading", "a"), ("markdown-heading", "## a`"),
        ("markdown-tags", "#a #two%20words"), ("markdown-tags", "#é"), ("markdown-tags", "no"),
        ("markdown-end", "^b1"), ("markdown-end", "<!-- c --> ^d"), ("markdown-end", "x"),
        ("🛫", "2026-03-01"), ("🆔", "key"), ("🆔", "ü"), ("key", "v"), ("due", "2026-02-30"),
        ("todo.txt", "x mow @c (a) due:2026-03-06\r"),
    ].map { Item.Extra(key: $0.0, value: $0.1) }

    @Test(
        "a list that went through a todo.txt is the same but for times of day and words of names",
        arguments: seeds)
    func todotxt(seed: UInt64) throws {
        let (items, tags) = list(seed)
        let text = try RoundTrip.text(.todotxt, items, tags: tags)
        #expect(try RoundTrip.copy(text, .todotxt) == text)
        let read = try RoundTrip.list(text, .todotxt)
        try #require(read.items.count == items.count)
        let withSigils = tags.map { tag in
            let hasSigil =
                tag.name.count > 1 && (tag.name.hasPrefix("+") || tag.name.hasPrefix("@"))
            return Tag(
                id: tag.id, name: hasSigil ? tag.name : "@" + tag.name, color: tag.color,
                rank: tag.rank)
        }
        let readTags = read.tags
        for (item, read) in zip(items, read.items) where isPlain(item.name) {
            var other = read
            // Kept where an import takes white space off the name of a tag.
            if read.extras.count > item.extras.count { other.extras.removeLast() }
            #expect(
                RoundTrip.content(item, tags: withSigils)
                    == RoundTrip.content(other, tags: readTags), "\(item.name)")
            #expect(other.createdAt == midnight(item.createdAt))
            #expect(other.doneAt == item.doneAt.map(midnight))
        }
    }

    /// Returns true if no word of a name can be a tag or a pair. A todo.txt has no way to say that
    /// such a word is text.
    private func isPlain(_ name: String) -> Bool {
        !name.utf8.contains { "+@#:\\".utf8.contains($0) }
    }

    /// The day of a time, without the time, as the process's time zone has it.
    private func midnight(_ time: Timestamp) -> Timestamp {
        Timestamp(LocalCalendar.system.day(time))
    }

    // MARK: Lines by the rules

    @Test("an import and an export of a todo.txt give the same bytes", arguments: seeds)
    func sameBytes(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let text = (0..<200).map { _ in line(using: &generator) + "\n" }.joined()
        let copy = try RoundTrip.copy(text, .todotxt)
        for (line, other) in zip(text.split(separator: "\n"), copy.split(separator: "\n")) {
            #expect(line.utf8.elementsEqual(other.utf8))
        }
        #expect(copy.utf8.elementsEqual(text.utf8))
    }

    @Test("what is edited of an imported task is in its line, and the rest stays", arguments: seeds)
    func edits(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let text = (0..<100).map { _ in line(using: &generator) + "\n" }.joined()
        var (items, tags) = try RoundTrip.list(text, .todotxt)
        let added = Fixtures.tag(3_000, "+added")
        tags.append(added)
        for index in items.indices {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: items[index].name = "Renamed \(index)"
            case 1: items[index].tags.insert(added.id)
            case 2:
                if let tag = tags.first(where: { items[index].tags.contains($0.id) }) {
                    items[index].remove(tag)
                }
            case 3: items[index].doneAt = items[index].isDone ? nil : Fixtures.now
            case 4: items[index].note = "Noted:\n\(index)"
            case 5: items[index].priority = .c
            case 6: items[index].due = .last
            default:
                items[index].due = nil
                items[index].extras.removeAll { $0.key == "due" }
            }
        }
        let edited = try RoundTrip.text(.todotxt, items, tags: tags)
        #expect(try RoundTrip.copy(edited, .todotxt) == edited)
        let read = try RoundTrip.list(edited, .todotxt)
        try #require(read.items.count == items.count)
        let spelled = { (extra: Item.Extra) in "\(extra.key) \(extra.value)" }
        let isShown = { (extra: Item.Extra) in extra.key != TodoTask.lineKey }
        for (item, other) in zip(items, read.items) where isPlain(item.name) {
            var (item, other) = (item, other)
            item.extras = item.extras.filter(isShown).sorted { spelled($0) < spelled($1) }
            other.extras = other.extras.filter(isShown).sorted { spelled($0) < spelled($1) }
            #expect(
                RoundTrip.content(item, tags: tags, tagName: \.foldedName)
                    == RoundTrip.content(other, tags: read.tags, tagName: \.foldedName),
                "\(item.extras)")
        }
    }

    /// A line by the rules, of words in any order.
    private func line(using generator: inout SplitMix64) -> String {
        let words = [
            "Call", "Mom", "x", "(A)", "(b)", "2026-01-02", "2026-13-45", "+home", "+Garden",
            "@phone", "@Phone", "@Büro", "due:2026-02-03", "pri:A", "t:1", "t:2026-01-01",
            "rec:+1m",
            "rec:0d", "due:2026-2-3", "url:a%20b",
            "http://x.org/a", "http://x", "12:30", "me@example.org", "2+2", "+", "@", "a:b:c",
            "key:", ":value", "note:x", "name:Call", "extra:a=b", "extra:x", "@50%20", "\\@x",
            "due:x,y", "@nas,", "+p.", "#car", "\u{301}", "日本", "@",
        ]
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
        func date() -> String { "2026-0\(Int.random(in: 1...9, using: &generator))-11" }
        var parts: [String] = []
        let isDone = chance(3)
        if isDone { parts.append("x") }
        if chance(isDone ? 6 : 3) { parts.append(chance(2) ? "(A)" : "(Z)") }
        if chance(2) {
            parts.append(date())
            if isDone, chance(2) { parts.append(date()) }
        }
        for _ in 0...Int.random(in: 0..<7, using: &generator) {
            parts.append(words.randomElement(using: &generator)! + (chance(20) ? " " : ""))
        }
        let text =
            parts.joined(separator: " ") + (chance(20) ? " " : "") + (chance(20) ? "\r" : "")
        return TodoTask(TodoLine(text)) == nil ? line(using: &generator) : text
    }
}

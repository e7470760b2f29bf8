import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

/// An import accounts for every line of a file: its words are in the list, or the report names it.
@Suite("Every line of an import")
struct AccountingTests {
    /// A file of `Samples`, and the report of its import: items, lines left out, unread values,
    /// nested items. Nil if the file is refused as one of another program.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let report: [Int]?

        init(_ name: String, _ report: [Int]?) {
            (self.name, self.report) = (name, report)
        }

        var testDescription: String { name }

        var data: Data {
            get throws {
                try Data(
                    contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                        .appendingPathComponent("../Samples/\(name)").standardizedFileURL)
            }
        }
    }

    static let samples = [
        Sample("plain-todo.txt", [7, 0, 0, 0]), Sample("sentence-todo.txt", [9, 0, 0, 0]),
        Sample("topydo-todo.txt", [7, 0, 2, 0]), Sample("sleek-todo.txt", [5, 0, 0, 0]),
        Sample("simpletask-todo.txt", [5, 0, 0, 0]), Sample("done.txt", [6, 0, 0, 0]),
        Sample("tabs-todo.txt", [6, 0, 0, 0]), Sample("tasks", [4, 0, 0, 0]),
        Sample("checklist.md", [7, 0, 0, 0]), Sample("obsidian-tasks.md", [10, 2, 4, 0]),
        Sample("obsidian-boxes.md", [9, 0, 0, 0]), Sample("github-issue.md", [7, 3, 0, 2]),
        Sample("nested.md", [7, 0, 0, 5]), Sample("callouts.md", [4, 3, 0, 0]),
        Sample("notes-between.md", [3, 7, 0, 0]), Sample("anchors.md", [5, 0, 0, 0]),
        Sample("read-later.md", [7, 0, 1, 0]), Sample("journal.md", [3, 4, 0, 0]),
        Sample("logseq.md", [5, 0, 0, 2]), Sample("numbered.md", [4, 1, 0, 0]),
        Sample("emphasis.md", [6, 0, 0, 0]), Sample("trip.txt", [3, 1, 0, 0]),
        Sample("shopping.txt", [5, 0, 0, 0]), Sample("own.json", [3, 0, 1, 0]),
        Sample("taskwarrior.json", nil), Sample("board.json", nil),
        Sample("outline.roam.json", nil), Sample("table.csv", nil), Sample("table.txt", nil),
        Sample("outline.org", nil), Sample("agenda.ics", nil), Sample("outline.opml", nil),
        Sample("plan.taskpaper", nil), Sample("plan.txt", nil),
    ]

    private func guess(_ data: Data, _ name: String) throws -> ListFormat {
        try #require(try ListFormat.guess(data, name: name))
    }

    @Test(
        "of a file as other programs write it is in the list or in the report", arguments: samples)
    func sample(_ sample: Sample) throws {
        let data = try sample.data
        guard let report = sample.report else {
            let error = #expect(throws: FormatError.self) {
                try guess(data, sample.name).parse(data)
            }
            #expect(error?.kind == .foreign)
            return
        }
        let format = try guess(data, sample.name)
        let parsed = try format.parse(data)
        #expect(
            [
                parsed.list.items.count, parsed.skippedText.count, parsed.unread.count,
                parsed.nestedItems,
            ] == report, "\(parsed.skippedText) \(parsed.unread)")
        #expect(parsed.errors.isEmpty)
        try expectAccounted(data, format)
        try expectStable(data, format)
    }

    @Test(
        "is the same with CR LF and a byte order mark, and UTF-16 is refused",
        arguments: samples.filter { $0.report != nil })
    func otherEnds(_ sample: Sample) throws {
        let data = try sample.data
        let text = String(decoding: data, as: UTF8.self)
        let marked = Data("\u{FEFF}\(text.replacing("\n", with: "\r\n"))".utf8)
        let format = try guess(data, sample.name)
        #expect(try ListFormat.guess(marked, name: sample.name) == format)
        let (one, other) = (try format.parse(data), try format.parse(marked))
        #expect(one.list.items.map(\.name) == other.list.items.map(\.name))
        #expect(one.list.items.map(\.note) == other.list.items.map(\.note))
        #expect(one.list.items.map(\.tags) == other.list.items.map(\.tags))
        #expect(one.skippedText == other.skippedText)
        try expectAccounted(marked, format)
        if format == .todotxt {
            let lines = text.split(separator: "\n").map { "\($0)\r\n" }.joined()
            #expect(try RoundTrip.copy(lines, .todotxt).utf8.elementsEqual(lines.utf8))
        }
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
            let encoded = try #require(text.data(using: encoding))
            #expect(throws: FormatError.self) { try format.parse(encoded) }
        }
    }

    @Test("of text in UTF-16 is refused in any script, and so are items that may be done")
    func refused() throws {
        for text in ["молоко\nхлеб и сыр\n", "牛奶\n面包\n", "milk\n"] {
            for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
                let data = try #require(text.data(using: encoding))
                let parsed: ParsedList?
                do throws(FormatError) {
                    parsed = try ListFormat.lines.parse(data)
                } catch {
                    parsed = nil
                }
                let names = parsed?.list.items.map(\.name) ?? []
                #expect(!names.contains { $0.utf8.contains(0) }, "\(names)")
            }
        }
        #expect(try ListFormat.lines.parse(Data("a\0b\nc\0\0d\n".utf8)).list.items.count == 2)
        let parsed = try ListFormat.json.parse(try Sample("unknown-done.json", nil).data)
        #expect(parsed.list.items.isEmpty)
        #expect(parsed.errors.count == 2)
    }

    @Test(
        "of a generated file is in the list or in the report",
        arguments: 1...UInt64(Torture.count(40, of: 400)))
    func generated(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator)! }
        for format in [ListFormat.markdown, .todotxt, .lines] {
            let words = format == .markdown ? Self.markdownWords : Self.todoWords
            let starts = format == .markdown ? Self.markdownStarts : Self.todoStarts
            var lines = (0..<Int.random(in: 1..<25, using: &generator)).map { number in
                let count = Int.random(in: 0..<6, using: &generator)
                let text = (0..<count).map { _ in pick(words) } + ["w\(number)"]
                return pick(starts) + text.shuffled(using: &generator).joined(separator: " ")
            }
            if Int.random(in: 0..<4, using: &generator) == 0 { lines.insert("", at: 0) }
            let data = Data((lines.joined(separator: pick(["\n", "\r\n"])) + "\n").utf8)
            try expectAccounted(data, format)
            try expectStable(data, format)
        }
    }

    private static let markdownStarts = [
        "- [ ] ", "- [x] ", "- [/] ", "- [-] ", "* ", "1. ", "  - [ ] ", "    - ", "  ", "> - [ ] ",
        "> ", "# ", "## ", "", "- [ ] ", "- [ ] ", "\t- [x] ", "   1. ", "    ", "| ",
    ]
    private static let markdownWords = [
        "mow", "#lawn", "#lawn,", "@shed", "+yard", "due:2026-03-06", "due:2026-02-30", "pri:A",
        "rec:1w", "📅 2026-03-03", "🔁 every Tuesday", "⏫", "✅ 2026-03-04", "❌ 2026-03-05",
        "➕ 2026-03-01", "🛫 2026-03-01", "⏳ 2026-03-02", "🆔 key", "^b1", "<!-- aside -->",
        "\\#no", "**bold**", "[x]", "key:value", "\\due:1", "🔁 every blue moon",
    ]
    private static let todoStarts = [
        "", "x ", "(A) ", "x 2026-03-02 2026-03-01 ", "2026-03-01 ", " ",
    ]
    private static let todoWords = [
        "mow", "@lawn", "@lawn,", "+yard", "#car", "due:2026-03-06", "due:2026-02-30", "pri:A",
        "rec:w", "rec:5", "h:1", "note:a%20b", "key:value", "me@example.org", "12:30", "\\@no",
        "https://example.org/a", "extra:a=b", "t:2026-03-01",
    ]

    // MARK: Words

    /// Expects each word of each line of `data` in the list, unless the report has the line.
    private func expectAccounted(_ data: Data, _ format: ListFormat) throws {
        let parsed = try format.parse(data)
        var reported: Set<Int> = []
        for error in parsed.skippedText + parsed.errors {
            let first = try #require(error.line)
            let last = error.reason.split(separator: " ").last.flatMap { Int($0) } ?? first
            reported.formUnion(first...(error.reason.contains("up to line") ? last : first))
        }
        var known = Set(Self.syntax)
        for item in parsed.list.items {
            let draft = item.draft
            // The kept line would account for everything.
            let extras = (item.extras ?? []).filter { $0.key != TodoTask.lineKey }
            var texts = [item.name, item.note ?? ""] + (item.tags ?? [])
            texts += extras.flatMap { [$0.key, $0.value] }
            for word in TodoTask.fields {
                if let value = word.spelling.get(draft) { texts += [word.key, value, word.field] }
            }
            if let rule = draft.repeat {
                texts += [rule.ofTasks, rule.words, "every tuesday on the 1st \(rule.unit)"]
                texts.append(String("\(rule)".suffix(1)))
            }
            texts += [item.createdAt, item.done.flatMap(\.time)].compactMap(\.self).map {
                "\(LocalCalendar.system.day($0))"
            }
            known.formUnion(texts.flatMap(Self.words))
        }
        known.formUnion(parsed.list.tags.flatMap { Self.words($0.name) })
        for line in TextLines(data) where !line.isBlank && !reported.contains(line.number) {
            let text = try #require(line.text)
            let number = text.trimmed.prefix { $0.isNumber }
            let isNumbered = format == .markdown && !number.isEmpty
            let missing = Self.words(text).filter {
                !known.contains($0) && !(isNumbered && $0 == number)
            }
            #expect(
                missing.isEmpty,
                "line \(line.number): \(missing) in \(String(decoding: data, as: UTF8.self))")
        }
    }

    /// Words that say whether an item is done, or are members of JSON or HTML.
    private static let syntax = [
        "x", "name", "tags", "done", "true", "false", "doneat", "note", "08", "00", "00z", "03t08",
        "a", "soup", "extra", "20b", "20read", "20the", "20drawer",
    ]

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Expects that an export, imported into an empty list, is exported as the same text.
    private func expectStable(_ data: Data, _ format: ListFormat) throws {
        let form: ListWriter.Form =
            switch format {
            case .lines: .lines
            case .json: .jsonList
            case .markdown: .markdown
            case .todotxt: .todotxt
            }
        let (items, tags) = try RoundTrip.list(String(decoding: data, as: UTF8.self), format)
        let text = try RoundTrip.text(form, items, tags: tags)
        let read = try RoundTrip.list(text, format)
        #expect(read.items.map(\.name) == items.map(\.name), "\(text)")
        #expect(try RoundTrip.text(form, read.items, tags: read.tags) == text)
        if format == .todotxt {
            let lines = TextLines(data).filter { !$0.isBlank }.compactMap { line in
                line.text.map { $0 + (line.endsWithCR ? "\r\n" : "\n") }
            }
            #expect(text.utf8.elementsEqual(lines.joined().utf8))
        }
    }
}

extension ImportedItem.Done {
    fileprivate var time: Timestamp? {
        if case .yes(let time) = self { time } else { nil }
    }
}

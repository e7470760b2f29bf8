import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("todo.txt")
struct TodoTxtTests {
    private func item(_ line: String) throws -> ImportedItem {
        let items = try ListFormat.todotxt.read(Data(line.utf8)).items
        try #require(items.count == 1)
        return items[0]
    }

    private func pairs(_ extras: [Item.Extra]?) -> [String] {
        (extras ?? []).filter { $0.key != TodoTask.lineKey }.map { "\($0.key)=\($0.value)" }
    }

    private func day(_ text: String) -> Timestamp? { Timestamp(iso8601: text) }

    // MARK: Reading

    @Test("pairs with the key of the kept line are kept beside it, time and again")
    func pairsOfLineKey() throws {
        let text = "x extra:todo.txt=a extra:todo.txt=b\n2026-01-02 y extra:todo.txt=c\n"
        #expect(try RoundTrip.copy(text, .todotxt) == text)
    }

    @Test("a task has its priority, dates, tags and pairs, and a name without them")
    func whole() throws {
        let item = try item("x (A) 2026-03-02 2026-03-01 Call +Family Mom @phone due:2026-03-09")
        #expect(item.name == "Call Mom")
        #expect(item.tags == ["+Family", "@phone"])
        #expect(item.done == .yes(at: day("2026-03-02")))
        #expect(item.createdAt == day("2026-03-01"))
        #expect(pairs(item.extras) == [])
        #expect(item.draft.priority == .a)
        #expect(item.draft.due?.description == "2026-03-09")
    }

    @Test(
        "a name reads well, and what is no tag, date or pair stays in it",
        arguments: [
            ("Mail bob@example.org, 2+2 at 12:30", "Mail bob@example.org, 2+2 at 12:30"),
            ("see http://x.org and https://x.org:80/a", "see http://x.org and https://x.org:80/a"),
            ("X not done", "X not done"), ("xylophone", "xylophone"), ("(a) low", "(a) low"),
            ("(A)", "(A)"), ("(A)->B", "(A)->B"), ("x", "x"), ("2026-01-01", "2026-01-01"),
            ("2026-13-45 no month", "2026-13-45 no month"),
            ("2026-02-29 no leap year", "2026-02-29 no leap year"),
            (" x indented", "x indented"), ("a + b @ c", "a + b @ c"), ("a: b :c", "a: b :c"),
            ("two  spaces +p  kept ", "two  spaces  kept"), ("+p first", "first"),
            ("(B) 2026-01-01 (A) twice", "(A) twice"), ("x 2026-01-02 x again", "x again"),
            ("+only @tags", "+only @tags"), ("\\@no context", "@no context"),
        ])
    func names(line: String, name: String) throws {
        #expect(try item(line).name == name)
    }

    @Test("of a done task with one date, that is the day it was done")
    func oneDate() throws {
        let item = try item("x 2026-01-02 gone")
        #expect(item.done == .yes(at: day("2026-01-02")))
        #expect(item.createdAt == nil)
        #expect(try self.item("x gone").done == .yes(at: nil))
    }

    @Test("a tag is one in any case of letters, and spelled as it stands first")
    func spelling() throws {
        let list = try ListFormat.todotxt.read(Data("a @Home\nb @home\n".utf8))
        #expect(list.items.map(\.tags) == [["@Home"], ["@Home"]])
        #expect(try RoundTrip.copy("a @Home\nb @home\n", .todotxt) == "a @Home\nb @home\n")
    }

    @Test("white space after a tag's name stays in the line, though it is no part of the name")
    func spaceAfterTag() throws {
        let lines = ["@home\u{B}", "a +b\u{A0}", "c @d%20 @d", "e @\u{A0}", "f @g%20"]
        let text = lines.map { "2026-01-01 \($0)\n\($0)\n" }.joined()
        let list = try ListFormat.todotxt.read(Data(text.utf8)).naming([])
        let changes = Importer(now: Fixtures.now).plan(
            list, tags: [], lastRank: nil, existing: []
        ).changes
        #expect(changes.tags.upserts.map(\.name) == ["@home", "+b", "@d", "@", "@g"])
        let copy = try RoundTrip.text(
            .todotxt, changes.items.upserts, tags: changes.tags.upserts)
        #expect(copy == text)
        #expect(try RoundTrip.copy(text, .todotxt) == text)
    }

    @Test("a byte order mark, CR LF and empty lines are no part of a task")
    func ends() throws {
        let text = "\u{FEFF}(A) 2026-01-01 one\r\n\r\n \t\n2026-01-01 two"
        #expect(
            try RoundTrip.copy(text, .todotxt) == "(A) 2026-01-01 one\n2026-01-01 two\n")
        #expect(try RoundTrip.copy("", .todotxt) == "")
    }

    @Test("a line of a megabyte stays whole")
    func long() throws {
        let line = String(repeating: "word +tag ", count: 100_000) + "end\n"
        #expect(try RoundTrip.copy(line, .todotxt) == line)
    }

    @Test("what cannot be read is named, and the rest is there")
    func bad() throws {
        let bytes = Array("one\nx \ntwo\n".utf8) + [0xFF, 0x0A] + Array("(A) \n2026-01-01 \n".utf8)
        let parsed = try ListFormat.todotxt.parse(Data(bytes))
        #expect(parsed.list.items.map(\.name) == ["one", "two"])
        #expect(
            parsed.bad.map(\.description) == [
                "line 2: the task has no description", "line 4: not valid UTF-8",
                "line 5: the task has no description", "line 6: the task has no description",
            ])
        #expect(throws: FormatError.self) { try ListFormat.todotxt.read(Data(bytes)) }
    }

    // MARK: Editing

    /// What is done to an imported item, and what then stands in its line.
    struct Edit: Sendable {
        var line: String
        var result: String
        var change: @Sendable (inout Item, [String: Tag.ID]) -> Void

        init(
            _ line: String, _ result: String,
            _ change: @escaping @Sendable (inout Item, [String: Tag.ID]) -> Void
        ) {
            self.line = line
            self.result = result
            self.change = change
        }
    }

    private static let march = Timestamp(iso8601: "2026-03-05T10:00:00Z")

    @Test(
        "an edit changes of a line what it has to",
        arguments: [
            Edit("call  +p Mom due:1", "ring  +p due:1") { item, _ in item.name = "ring" },
            Edit("+p call Mom", "+p ring Dad") { item, _ in item.name = "ring Dad" },
            Edit("call @a Mom", "mail \\@b @a") { item, _ in item.name = "mail @b" },
            Edit("a +p b @c d", "a b @c d") { item, tags in item.tags = [tags["@c"]!] },
            Edit("+p a", "a") { item, _ in item.tags = [] },
            Edit("a @c b due:1", "a @c b due:1 @new") { item, tags in
                item.tags.insert(tags["new"]!)
            },
            Edit("a @c b", "x 2026-03-05 a @c b") { item, _ in item.doneAt = march },
            Edit("(A) 2026-01-01 a", "x 2026-03-05 2026-01-01 a pri:A") { item, _ in
                item.doneAt = march
            },
            Edit("x (A) 2026-01-02 2026-01-01 a b", "(A) 2026-01-01 a b") { item, _ in
                item.doneAt = nil
            },
            Edit("x 2026-01-02 a pri:C +p", "(C) a +p") { item, _ in item.doneAt = nil },
            Edit("x (A) a  b @c", "x (A) b @c") { item, _ in item.name = "b" },
            Edit("x a", "x b") { item, _ in item.name = "b" },
            Edit("a due:1 b", "a b") { item, _ in item.extras.removeAll { $0.key == "due" } },
            Edit("(B) due:2026-03-06 a", "(A) due:2026-03-09 a") { item, _ in
                item.priority = .a
                item.due = CalendarDay("2026-03-09")
            },
            Edit("a due:2026-03-06 b rec:1w", "a b") { item, _ in
                item.due = nil
                item.repeat = nil
            },
            Edit("a b", "(C) a b due:9999-12-31 t:0001-01-01 rec:+1m") { item, _ in
                item.priority = .c
                item.due = .last
                item.scheduled = .first
                item.repeat = Repeat("+1m")
            },
            Edit("a note:x b", "a note:y%0Az b") { item, _ in item.note = "y\nz" },
            Edit("a b", "a b note:to%20do%3A%20it") { item, _ in item.note = "to do: it" },
            Edit("a b", "a b note:%2F/x") { item, _ in item.note = "//x" },
        ])
    func edits(_ edit: Edit) throws {
        var (items, tags) = try RoundTrip.list(edit.line, .todotxt)
        tags.append(Fixtures.tag(3_000, "new"))
        let ids = Dictionary(uniqueKeysWithValues: tags.map { ($0.name, $0.id) })
        edit.change(&items[0], ids)
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == edit.result + "\n")
    }

    @Test("a tag that was renamed has its new name in the line")
    func renamedTag() throws {
        var (items, tags) = try RoundTrip.list("a @home b", .todotxt)
        tags[0].name = "@house"
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == "a b @house\n")
        items[0].name = "c"
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == "c @house\n")
    }

    // MARK: Writing

    @Test("an item of Sheaf's own has its dates, and words for all that it holds")
    func own() throws {
        let tags = [Fixtures.tag(1, "to read"), Fixtures.tag(2, "+p"), Fixtures.tag(3, "home")]
        var item = Fixtures.item(1, "two\nlines @x", tags: Set(tags.map(\.id)))
        item.doneAt = Fixtures.now
        item.note = "a b\n"
        item.priority = .a
        item.extras = [.init(key: "b c", value: "d:e")]
        #expect(
            try RoundTrip.text(.todotxt, [item], tags: tags)
                == "x 2023-11-14 2023-11-14 two lines \\@x +p @home @to%20read pri:A"
                + " extra:b%20c=d%3Ae note:a%20b%0A name:two%0Alines%20@x\n")
    }

    @Test("a name that another program changed counts, not the one that is spelled out")
    func staleName() throws {
        let item = try item("three lines name:two%0Alines")
        #expect(item.name == "three lines")
        #expect(pairs(item.extras) == ["name=two\nlines"])
    }

    @Test("a kept line with a line break in it does not make two tasks")
    func brokenLine() throws {
        var item = Fixtures.item(1, "a")
        item.extras = [.init(key: TodoTask.lineKey, value: "a\nb")]
        let text = try RoundTrip.text(.todotxt, [item], tags: [])
        #expect(text == "2023-11-14 a extra:todo.txt=a%0Ab\n")
    }
}

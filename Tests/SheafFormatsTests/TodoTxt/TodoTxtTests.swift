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
        let text =
            "x extra:todo.txt=a extra:todo.txt=b\n2026-01-02 y extra:todo.txt=c\nz k:v extra:k=v\n"
        #expect(try RoundTrip.copy(text, .todotxt) == text)
    }

    @Test("a task has its priority, dates, tags and pairs, and a name with the tags within")
    func whole() throws {
        let item = try item("x (A) 2026-03-02 2026-03-01 Call +Family Mom @phone due:2026-03-09")
        #expect(item.name == "Call +Family Mom")
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
            ("two  spaces +p  kept ", "two  spaces +p  kept"), ("+p first", "first"),
            ("host on @nas (nginx)", "host on @nas (nginx)"), ("ask @bob, now", "ask @bob, now"),
            ("ask @bob.", "ask @bob."), ("+p a @b h:1 @c d +e", "a @b @c d"),
            ("see issue:42 now +p", "see issue:42 now"), ("+p issue:42 @c", "issue:42"),
            ("a name:Call due:1 note:x b", "a name:Call due:1 b"), ("a extra:x", "a extra:x"),
            ("a id:1 p:2 dep:3 uuid:4 h:1 pm:2 b", "a pm:2 b"), ("url:a%20b c", "url:a%20b c"),
            ("@a +b h:1", "@a +b"),
            ("h:1 @a +b", "@a +b"), ("h:1 due:2026-03-01", "h:1 due:2026-03-01"),
            ("a \\@b \\due:1 c", "a @b due:1 c"),
            ("(B) 2026-01-01 (A) twice", "(A) twice"), ("x 2026-01-02 x again", "x again"),
            ("+only @tags", "+only @tags"), ("\\@no context", "@no context"),
        ])
    func names(line: String, name: String) throws {
        #expect(try item(line).name == name)
    }

    @Test(
        "tags within the name are tags of the item, and punctuation after them is text",
        arguments: [
            ("host on @nas (nginx)", ["@nas"]), ("ask @bob, or +me. (@you)", ["@bob", "+me"]),
            ("h:1 @a +b", ["@a", "+b"]), ("a @b%20c, d", ["@b c"]), ("a @, b +. c", []),
            ("a \\@b, c", []), ("@x a @x, b @x", ["@x"]),
        ])
    func tags(line: String, tags: [String]) throws {
        #expect(try item(line).tags == tags)
        #expect(try RoundTrip.copy(line + "\n", .todotxt) == line + "\n")
    }

    @Test("the name that a kept line gives has the tags within, if the line said the item before")
    func nameInKeptLine() throws {
        let tags = ["@nas", "+p", "@home,"].enumerated().map { Fixtures.tag($0, $1) }
        func name(_ name: String, _ line: String, _ ids: [Int], done: Bool = false) -> String? {
            var item = Fixtures.item(1, name, tags: Set(ids.map { tags[$0].id }))
            if done { item.doneAt = Fixtures.now }
            item.extras = [Item.Extra(key: TodoTask.lineKey, value: line)]
            return item.nameInKeptLine(tags: ids.map { tags[$0].name })
        }
        #expect(name("host on (x)", "host on @nas (x) +p", [0, 1]) == "host on @nas (x)")
        #expect(name("call now", "call @home, now", [2]) == "call @home, now")
        #expect(name("+p @nas h:1", "+p @nas h:1", [0, 1]) == nil)  // Without its pair.
        #expect(name("+p @nas", "+p @nas", [0, 1]) == "+p @nas")
        #expect(name("host (x)", "host on @nas (x)", [0]) == nil)
        #expect(name("host on (x)", "host on @nas (x)", []) == nil)
        #expect(name("host on (x)", "host on @nas (x)", [0], done: true) == nil)
        #expect(Fixtures.item(1, "a").nameInKeptLine(tags: []) == nil)
        // The line of a tag that ended in punctuation comes back, too.
        var item = Fixtures.item(1, "call @home, now", tags: [tags[2].id])
        item.extras = [Item.Extra(key: TodoTask.lineKey, value: "call @home, now")]
        #expect(try RoundTrip.text(.todotxt, [item], tags: tags) == "call @home, now\n")
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
        let list = try ListFormat.todotxt.read(Data(text.utf8)).normalizingTagNames(existing: [])
        let changes = Importer(now: Fixtures.now).plan(
            list, tags: [], lastRank: nil, existing: []
        ).changes
        #expect(changes.tags.upserts.map(\.name) == ["@home", "+b", "@d", "@", "@g"])
        let copy = try RoundTrip.text(
            .todotxt, changes.items.upserts, tags: changes.tags.upserts)
        #expect(copy == text)
        #expect(try RoundTrip.copy(text, .todotxt) == text)
    }

    @Test("CR LF comes back, a byte order mark and empty lines do not")
    func ends() throws {
        let text = "\u{FEFF}(A) 2026-01-01 one\r\n\r\n \t\n2026-01-01 two"
        #expect(
            Array(try RoundTrip.copy(text, .todotxt).utf8)
                == Array("(A) 2026-01-01 one\r\n2026-01-01 two\n".utf8))
        #expect(try item("one @a\r\n").name == "one")
        #expect(try item(" h:1 due:2026-03-01 \r\n").name == "h:1 due:2026-03-01")
        #expect(try item("one @a\r\n").tags == ["@a"])
        for text in ["a\rb\r\n", "a \t\r\n", "a\r\r\n", "\r a\n"] {
            #expect(Array(try RoundTrip.copy(text, .todotxt).utf8) == Array(text.utf8))
        }
        var (items, tags) = try RoundTrip.list("call @a Mom h:1\r\n", .todotxt)
        items[0].name = "call @a Dad"
        let edited = try RoundTrip.text(.todotxt, items, tags: tags)
        #expect(Array(edited.utf8) == Array("call @a Dad h:1\r\n".utf8))
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
            parsed.errors.map(\.description) == [
                "line 2: the task has no description", "line 4: not valid UTF-8",
                "line 5: the task has no description", "line 6: the task has no description",
            ])
        #expect(throws: FormatError.self) { try ListFormat.todotxt.read(Data(bytes)) }
    }

    // MARK: Editing

    /// An edit of an imported item, and its line afterwards.
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
            Edit("call  +p Mom h:1", "ring h:1 +p") { item, _ in item.name = "ring" },
            Edit("call issue:42 Mom", "call Dad") { item, _ in item.name = "call Dad" },
            Edit("call issue:42 h:1 Mom", "call issue:43 h:1 Mom") { item, _ in
                item.name = "call issue:43 Mom"
            },
            // A tag that the line has twice.
            Edit("a +x b +x c +x h:1", "x 2026-03-05 a +x b +x c +x h:1") { item, _ in
                item.doneAt = march
            },
            Edit("two +a @b end +a", "two +a @b end +a due:9999-12-31") { item, _ in
                item.due = .last
            },
            Edit("+a @b c @b +a", "+a @b d @b +a") { item, _ in item.name = "d" },
            Edit("a +x b +x", "a x b") { item, _ in
                item.name = "a x b"
                item.tags = []
            },
            Edit("+p call Mom", "+p ring Dad") { item, _ in item.name = "ring Dad" },
            Edit("call @a Mom", "mail @b @a") { item, _ in item.name = "mail @b" },
            Edit("call h:1 @a  Mom id:2 now", "call h:1 @a  Dad id:2 now") { item, _ in
                item.name = "call @a  Dad now"
            },
            Edit("call Mom h:1 now", "call Mom h:1 and Dad now") { item, _ in
                item.name = "call Mom and Dad now"
            },
            Edit("call h:1 Mom", "call h:1 Mom now") { item, _ in item.name = "call Mom now" },
            Edit("call h:1 Mom now", "call h:1 now") { item, _ in item.name = "call now" },
            Edit("h:1 @a +b", "x 2026-03-05 h:1 @a +b") { item, _ in item.doneAt = march },
            Edit("h:1 @a +b", "h:1 a +b") { item, tags in
                item.name = "a +b"
                item.tags = [tags["+b"]!]
            },
            Edit("h:1 due:2026-03-01", "x 2026-03-05 h:1 due:2026-03-01") { item, _ in
                item.doneAt = march
            },
            Edit("wash #new now", "wash @new now") { item, tags in
                item.tags.insert(tags["new"]!)
            },
            Edit("wash it", "wash @new, now") { item, tags in
                item.name = "wash #new, now"
                item.tags.insert(tags["new"]!)
            },
            Edit("a \\@b c", "x 2026-03-05 a \\@b c") { item, _ in item.doneAt = march },
            Edit("a +p b @c d", "a p b @c d") { item, tags in
                item.name = "a p b @c d"
                item.tags = [tags["@c"]!]
            },
            Edit("+p a", "a") { item, _ in item.tags = [] },
            Edit("a @c b h:1", "a @c b h:1 @new") { item, tags in
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
            Edit("a h:1 b", "a b") { item, _ in item.extras.removeAll { $0.key == "h" } },
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
        items[0].name = "a @house b"
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == "a @house b\n")
        items[0].name = "c"
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == "c @house\n")
    }

    @Test(
        "a tag that was renamed keeps its place before and after the name, and the line its spaces",
        arguments: [
            ("+home  a @x h:1", "+home", "+house", "+house  a @x h:1"),
            ("(A) a +home @x due:2026-03-06", "+home", "+house", "(A) a +house @x due:2026-03-06"),
            ("a @x +home", "@x", "x", "a @x +home"), ("a @x +home", "@x", "y", "a @y +home"),
            ("+home @x a", "@x", "+y", "+home +y a"),
            ("a +home @home", "@home", "+new", "a +home +new"),
            ("a +home b +home", "+home", "+house", "a +home b +house"),
            ("a @x", "@x", "to read", "a @to%20read"), ("+home @x", "@x", "@y", "+home @x @y"),
        ])
    func renamedTagOutside(line: String, tag: String, new: String, result: String) throws {
        var (items, tags) = try RoundTrip.list(line, .todotxt)
        let place = try #require(tags.firstIndex { $0.name == tag })
        tags[place].name = new
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == result + "\n")
        // Several at once keep the order of the list.
        (items, tags) = try RoundTrip.list("@x a +p +q\nb @x +p +q", .todotxt)
        (tags[1].name, tags[2].name) = ("+z", "+b")
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == "@x a +z +b\nb @x +z +b\n")
    }

    @Test(
        "a tag that was renamed has its new name at every place of the line",
        arguments: [
            ("a +home b @x +home", "@x", "@y", "a +home b @y +home"),
            ("a +home +home", "+home", "+house", "a +house +house"),
            ("a +home b +home", "+home", "+house", "a +house b +house"),
            ("a +home b @x +home h:1", "+home", "@y", "a @y b @x @y h:1"),
            // The case of letters alone.
            ("a +home b +Home c +HOME", "+home", "+HOME", "a +HOME b +HOME c +HOME"),
            ("a @x", "@x", "@X", "a @X"), ("+home @x", "@x", "@y", "+home @y"),
        ])
    func replacedTag(line: String, tag: String, new: String, result: String) throws {
        var (items, tags) = try RoundTrip.list(line, .todotxt)
        let place = try #require(tags.firstIndex { $0.name == tag })
        let former = tags[place]
        tags[place].name = new
        items[0].replace(former, with: tags[place])
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == result + "\n")
    }

    @Test("pairs that a former version kept as extras stay in their places")
    func formerPairs() throws {
        var item = Fixtures.item(1, "call Mom")
        let line = "call issue:42 due:soon Mom"
        item.extras = [("issue", "42"), ("due", "soon"), (TodoTask.lineKey, line)]
            .map(Item.Extra.init)
        #expect(try RoundTrip.text(.todotxt, [item], tags: []) == line + "\n")
        item.name = "call Dad"
        #expect(
            try RoundTrip.text(.todotxt, [item], tags: []) == "call issue:42 due:soon Dad\n")
        ItemSetting.due(CalendarDay("2026-03-06")).apply(to: &item)
        #expect(
            try RoundTrip.text(.todotxt, [item], tags: []) == "call issue:42 Dad due:2026-03-06\n")
        item.extras.removeLast()
        let own = try RoundTrip.text(.todotxt, [item], tags: [])
        #expect(own == "2023-11-14 call Dad due:2026-03-06 extra:issue=42\n")
        #expect(try RoundTrip.list(own, .todotxt).items.first?.extras == item.extras)
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
                == "x 2023-11-14 2023-11-14 two lines @x +p @home @to%20read pri:A"
                + " extra:b%20c=d%3Ae note:a%20b%0A name:two%0Alines%20@x\n")
    }

    @Test("an escaped word of a name has no backslash in a line")
    func escapedWord() throws {
        let tags = [Fixtures.tag(1, "car"), Fixtures.tag(2, "+p")]
        let item = Fixtures.item(1, "\\#car, \\+p \\@x \\+pq", tags: Set(tags.map(\.id)))
        #expect(
            try RoundTrip.text(.todotxt, [item], tags: tags)
                == "2023-11-14 #car, +p \\@x \\+pq @car\n")
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

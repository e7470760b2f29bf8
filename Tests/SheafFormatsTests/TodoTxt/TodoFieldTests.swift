import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

/// Days, repeats and priorities in a todo.txt, and as the extras that earlier versions kept.
@Suite("Days and priorities in a todo.txt")
struct TodoFieldTests {
    private func item(_ line: String) throws -> Item {
        try #require(try RoundTrip.list(line, .todotxt).items.first)
    }

    private func described(_ item: Item) -> String {
        let fields = [
            item.priority?.description, item.due?.description, item.scheduled?.description,
            item.repeat?.description,
        ].map { $0 ?? "-" }
        let extras = item.extras.filter { $0.key != TodoTask.lineKey }
        return (fields + extras.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }

    @Test(
        "are fields if their values are valid; otherwise they stay in the name",
        arguments: [
            ("(A) a", "A - - -"), ("a pri:B", "B - - -"), ("x a pri:B", "B - - -"),
            ("(A) a pri:B", "A - - - pri=B"), ("a pri:b", "- - - -"),
            ("a due:2026-03-06", "- 2026-03-06 - -"), ("a due:2026-3-6", "- - - -"),
            (
                "a due:tomorrow due:2026-03-06 due:2026-03-07",
                "- 2026-03-06 - - due=2026-03-07"
            ),
            ("a t:2026-03-01 t:-3d", "- - 2026-03-01 -"), ("a t:-3d", "- - - -"),
            ("a rec:+1m", "- - - +1m"), ("a rec:2w", "- - - 2w"), ("a rec:5b", "- - - 5b"),
            ("a rec:+1m recday:31", "- - - +1m@31"), ("a recday:29 rec:+1y", "- - - +1y@29"),
            ("a rec:+1m recday:28", "- - - +1m"), ("a recday:31", "- - - - recday=31"),
            ("a rec:1m recday:31", "- - - 1m recday=31"), ("a rec:+1m@31", "- - - -"),
            ("a rec:0d", "- - - -"), ("a rec:1W", "- - - -"),
            ("a rec:99999999999999999999d", "- - - -"),
            ("a extra:due=2026-03-06", "- 2026-03-06 - -"),
            ("a extra:due=soon", "- - - - due=soon"), ("a DUE:2026-03-06", "- - - -"),
            ("a due:2026-03-06 @x due:2026-03-06", "- 2026-03-06 - -"),
            ("(A) a pri:A", "A - - -"), ("a rec:2w h:1 rec:2w h:1", "- - - 2w h=1 h=1"),
        ])
    func read(line: String, fields: String) throws {
        let item = try item(line)
        let shown = "\(item.name) \(described(item))"
        let words = line.split(separator: " ").filter { !["x", "(A)", "@x"].contains($0) }
        #expect(item.name.hasPrefix("a"))
        #expect(described(item) == fields)
        // Each word is in the name, or it is a pair.
        for word in words {
            let value = word.split(separator: word.contains("extra:") ? "=" : ":").last ?? word
            #expect(shown.contains(value), "\(shown)")
            let isRead = fields.contains(value)
            #expect(item.name.split(separator: " ").contains(word) == !isRead || word == "a")
        }
        #expect(try RoundTrip.copy(line + "\n", .todotxt) == line + "\n")
    }

    @Test(
        "whose values cannot be read are reported and stay in the name",
        arguments: [
            ("due:2027-02-30 b", "due:2027-02-30"), ("b t:soon c", "t:soon"),
            ("b rec:5", "rec:5"), ("b recday:28 rec:+1m", "recday:28"),
            ("b pri:low", "pri:low"),
        ])
    func unread(line: String, word: String) throws {
        let parsed = try ListFormat.todotxt.parse(Data("a\n\(line)\n".utf8))
        #expect(parsed.unread == [.unread(word, line: 2)])
        #expect(parsed.list.items.last?.name.contains(word) == true)
    }

    @Test("of a former line are replaced by a value that the user sets, in the place of the word")
    func replacedText() throws {
        var (items, tags) = try RoundTrip.list("call due:2027-02-30 Mom  +p", .todotxt)
        #expect(items[0].name == "call due:2027-02-30 Mom")
        ItemSetting.due(CalendarDay("2027-03-01")).apply(to: &items[0])
        let text = try RoundTrip.text(.todotxt, items, tags: tags)
        #expect(text == "call due:2027-03-01 Mom  +p\n")
        ItemSetting.due(nil).apply(to: &items[0])
        #expect(
            try RoundTrip.text(.todotxt, items, tags: tags) == "call due:2027-02-30 Mom  +p\n")
        (items, tags) = try RoundTrip.list("2026-01-01 c due:2027-02-30", .todotxt)
        ItemSetting.due(CalendarDay("2027-03-01")).apply(to: &items[0])
        #expect(
            try RoundTrip.text(.todotxt, items, tags: tags) == "2026-01-01 c due:2027-03-01\n")
        // The item's own day counts, not the one that its name spells. Other text stays.
        var item = Fixtures.item(1, "see due:2026-12-01")
        item.due = CalendarDay("2027-01-01")
        #expect(
            try RoundTrip.text(.todotxt, [item], tags: []) == "2023-11-14 see due:2027-01-01\n")
        item.name = "see due:fri"
        #expect(
            try RoundTrip.text(.todotxt, [item], tags: [])
                == "2023-11-14 see due:fri due:2027-01-01\n")
    }

    @Test(
        "said twice with different values lose both words when the user sets another",
        arguments: [
            ("(D) b pri:A", "b", "(C) b"),
            ("(D) 2026-01-01 b pri:A", "2026-01-01 b", "(C) 2026-01-01 b"),
            ("x b pri:B pri:A", "x b", "x b pri:C"), ("(D) pri:A b", "b", "(C) b"),
        ])
    func rivals(line: String, cleared: String, changed: String) throws {
        for (priority, result) in [(nil, cleared), (Priority("C"), changed)] {
            var (items, tags) = try RoundTrip.list(line, .todotxt)
            ItemSetting.priority(priority).apply(to: &items[0])
            #expect(try RoundTrip.text(.todotxt, items, tags: tags) == result + "\n")
            #expect(items[0].extras.allSatisfy(TodoTask.canBeLine))
        }
        var (items, tags) = try RoundTrip.list(
            "b due:2026-03-06 t:2026-03-01 rec:1w due:2026-03-07 t:2026-03-02 rec:1m", .todotxt)
        ItemSetting.due(CalendarDay("2026-03-09")).apply(to: &items[0])
        ItemSetting.scheduled(nil).apply(to: &items[0])
        ItemSetting.repeat(Repeat("1y")).apply(to: &items[0])
        #expect(
            try RoundTrip.text(.todotxt, items, tags: tags) == "b due:2026-03-09 rec:1y\n")
    }

    @Test("a field that the line said twice is cleared with both words")
    func clearedTwice() throws {
        let line = "(A) pay due:2026-12-01 @x due:2026-12-01 pri:A"
        var (items, tags) = try RoundTrip.list(line, .todotxt)
        items[0].due = CalendarDay("2026-12-02")
        #expect(
            try RoundTrip.text(.todotxt, items, tags: tags) == "(A) pay due:2026-12-02 @x\n")
        (items[0].due, items[0].priority) = (nil, nil)
        #expect(try RoundTrip.text(.todotxt, items, tags: tags) == "pay @x\n")
    }

    @Test("the line of what comes next has its days, and is otherwise that of the item")
    func next() throws {
        let line = "2026-02-04 Pay +rent t:2026-01-28  the  @home rec:+1m due:2026-01-31 h:1"
        var (items, tags) = try RoundTrip.list(line, .todotxt)
        let today = try #require(CalendarDay("2026-03-05"))
        let now = try #require(Timestamp(iso8601: "2026-03-05T10:00:00Z"))
        let next = try #require(items[0].next(today: today, now: now, rank: Fixtures.rank(1)))
        items[0].doneAt = now
        #expect(
            try RoundTrip.text(.todotxt, items + [next], tags: tags) == """
                x 2026-03-05 \(line)
                2026-03-05 Pay +rent t:2026-02-25  the  @home rec:+1m due:2026-02-28 h:1 recday:31

                """)
    }

    @Test("the day of the month that a repeat keeps goes through every form")
    func dayOfMonth() throws {
        var item = Fixtures.item(1, "Pay")
        item.repeat = Repeat("+1m@31")
        item.due = CalendarDay("2027-02-28")
        for (form, format) in [
            (ListWriter.Form.todotxt, ListFormat.todotxt), (.markdown, .markdown),
            (.jsonStore, .json), (.jsonList, .json),
        ] {
            let text = try RoundTrip.text(form, [item], tags: [])
            #expect(
                try RoundTrip.list(text, format).items.map(\.repeat) == [item.repeat], "\(text)")
        }
    }

    // MARK: Extras of earlier versions

    private static let pairs = [
        ("pri", "A"), ("pri", "B"), ("pri", "low"), ("due", "2026-03-06"), ("due", "2026-03-07"),
        ("due", "soon"), ("t", "2026-03-01"), ("t", "-3d"), ("rec", "+1m"), ("rec", "0d"),
        ("key", "value"), ("key", "2"), ("note", "x"), ("todo.txt", "due:2026-03-06 Call pri:C"),
    ].map { Item.Extra(key: $0.0, value: $0.1) }

    @Test(
        "become fields, and an export is the same text as before",
        arguments: 1...UInt64(Torture.count(3, of: 8)))
    func former(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let tags = [Fixtures.tag(1, "+p"), Fixtures.tag(2, "home")]
        var taken = 0
        for number in 0..<200 {
            var old = Fixtures.item(number, tags: Set(tags.prefix(number % 3).map(\.id)))
            old.extras = Array(
                Self.pairs.shuffled(using: &generator).prefix(
                    Int.random(in: 0..<7, using: &generator)))
            if number % 2 == 0 { old.doneAt = Fixtures.now }
            let text = try RoundTrip.text(.todotxt, [old], tags: tags)
            var item = old
            let names = tags.filter { old.tags.contains($0.id) }.map(\.name)
            taken += item.convertFormerExtras(tags: names) { _ in true }.count
            #expect(
                try RoundTrip.text(.todotxt, [item], tags: tags) == text,
                "\(old.extras) \(item.extras)")
            // The JSON of a version that knew no fields is equal.
            let json = FormerExtra.all.reduce(
                try RoundTrip.text(.jsonList, [old], tags: tags)
            ) { text, former in
                ["null", #""""#].reduce(text) {
                    $0.replacing("\"\(former.field)\": \($1), ", with: "")
                }
            }
            let read = try RoundTrip.list(json, .json)
            #expect(try RoundTrip.text(.todotxt, read.items, tags: read.tags) == text, "\(json)")
            #expect(read.items.map(described) == [described(item)])
        }
        #expect(taken > 150)
    }

    @Test("that stand where the fields would stand leave no line behind")
    func formerInOrder() throws {
        var item = Fixtures.item(1)
        item.extras = [("pri", "A"), ("due", "2026-03-06"), ("key", "value")].map(Item.Extra.init)
        #expect(item.convertFormerExtras(tags: []) { _ in true } == ["priority", "due"])
        #expect(item.extras.map(\.key) == ["key"])
    }

    @Test("that are texts have a word by a row, and its value may have colons")
    func texts() throws {
        let row = try #require(TodoTask.PairField("memo", "note"))
        let fields = TodoTask.fields + [row]
        for (value, word) in [
            ("https://x.org:80/a", "memo:https://x.org:80/a"), ("10:30", "memo:10:30"),
            ("a b: c", "memo:a%20b:%20c"), ("//x.org", "memo:%2F/x.org"), ("plain", "memo:plain"),
        ] {
            var item = Fixtures.item(1)
            #expect(row.spelling.set(&item, value))
            #expect(item.note == value)
            #expect(row.spelling.get(item) == value)
            #expect(TodoWord.pair("memo", value, fields: fields) == word)
            let pair = Item.Extra(key: "memo", value: value)
            #expect(TodoWord(word, fields: fields) == .pair(pair))
            #expect(TodoWord("\\" + word, fields: fields) == .text(word))
        }
        var item = Fixtures.item(1)
        #expect(row.spelling.get(item) == nil)
        #expect(!row.spelling.set(&item, ""))
        // A text that spells no value of the field stays text, as it does without a row.
        for word in ["due:10:30", "memo://x.org", "other:a:b"] {
            #expect(TodoWord(word, fields: fields) == .text(word))
        }
        #expect(TodoWord("memo:https://x.org") == .text("memo:https://x.org"))
    }
}

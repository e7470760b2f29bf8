import SheafTestSupport
import Testing

@testable import SheafList

@Suite struct ItemSearchTests {
    private static let names = [
        "Water the garden", "garage door", "Görlitz and Straße", "Weeding", "日本語の本 in 2026",
        "ДЁШЕВО купить", "fooBar_baz", "Call Ann",
    ]
    private let tags = Fixtures.tags(["+Garden", "@phone", "book", "to read", "@Work", "+work"])

    private var items: [Item] {
        var items = Fixtures.items(Self.names)
        items[3].tags = [tags[0].id]
        items[7].tags = [tags[1].id, tags[2].id]
        items[1].doneAt = Fixtures.now
        items[4].note = "Ask Zoë about Kanji"
        return items
    }

    /// The results of a query, best first, as the first words of names.
    private func found(_ text: String, isFuzzy: Bool = false) throws -> [String] {
        let search = try search(text, isFuzzy: isFuzzy)
        let definition = RowsDefinition(search: search, order: ItemOrder(sort: .match))
        var rows = ItemRows()
        let items = EntityStore(items)
        rows.define(definition, in: items)
        #expect(Set(rows.ids) == Set(search.found(in: items.values).map(\.id)))
        return rows.ids.compactMap { items[$0] }.map { String($0.name.prefix { $0 != " " }) }
    }

    private func search(_ text: String, isFuzzy: Bool = false) throws -> ItemSearch {
        try ItemSearch(
            Query(text), isFuzzy: isFuzzy, tags: tags, now: Fixtures.now, calendar: .utc)
    }

    @Test(
        "a word is a part of a name, a tag or a note, in any case and whatever its accents",
        arguments: [
            ("gar", ["garage", "Water", "Weeding"]), ("GAR", ["garage", "Water", "Weeding"]),
            ("grd", []), ("gorlitz", ["Görlitz"]), ("GÖRLITZ", ["Görlitz"]), ("Gör", ["Görlitz"]),
            ("strasse", ["Görlitz"]), ("本語", ["日本語の本"]), ("日の本", []), ("本日", []),
            ("дешево", ["ДЁШЕВО"]), ("zoe", ["日本語の本"]), ("zkanji", []), ("phone", ["Call"]),
            ("'wat", []), ("\"the gar\"", ["Water"]), ("10:30", []), ("oba", ["fooBar_baz"]),
        ])
    func findsWords(text: String, expected: [String]) throws {
        let names = try found(text)
        #expect(names == expected)
    }

    @Test(
        "if that finds nothing, letters in order are enough for words, but not for what is left out",
        arguments: [
            ("grd", ["Water", "garage", "Görlitz", "Weeding"]), ("日の本", ["日本語の本"]), ("本日", []),
            ("gorltz", ["Görlitz"]), ("\"grd\"", []), ("wtr -grd", ["Water"]), ("wtr -garden", []),
        ])
    func findsLetters(text: String, expected: [String]) throws {
        let names = try found(text, isFuzzy: true)
        #expect(Set(names) == Set(expected))
    }

    @Test("a hyphen is NOT")
    func excludes() throws {
        for word in ["gar", "GAR", "grd", "Gör", "GÖR", "日の本", "C++", "f(x)"] {
            #expect(try search("-\(word)") == search("NOT \(word)"), "\(word)")
        }
        #expect(try !found("-GAR").contains("garage"))
        #expect(try found("-grd").contains("garage"))
    }

    @Test("the better a word stands in a name, the further up is the item; ties keep list order")
    func ranks() throws {
        let names = [
            "upgrade oats", "groats", "goats and oat", "oatmeal", "oat", "the oat milk", "oat bran",
            "an oatmeal", "float",
        ]
        let items = EntityStore(Fixtures.items(names))
        func ranked(_ text: String) throws -> [String] {
            var rows = ItemRows()
            let search = try ItemSearch(
                Query(text), tags: [], now: Fixtures.now, calendar: .utc)
            rows.define(
                RowsDefinition(search: search, order: ItemOrder(sort: .match)), in: items)
            return rows.ids.compactMap { items[$0]?.name }
        }
        #expect(
            try ranked("oat") == [
                "oat", "goats and oat", "the oat milk", "oat bran", "oatmeal", "upgrade oats",
                "an oatmeal", "groats", "float",
            ])
        #expect(try ranked("oat milk") == ["the oat milk"])
        #expect(try ranked("bran oat") == ["oat bran"])
        #expect(try ranked("the oat milk").first == "the oat milk")
    }

    @Test(
        "tags are found as they are called, and without their sigil where only one fits",
        arguments: [
            ("+Garden", ["Weeding"]), ("#garden", ["Weeding"]), ("@PHONE", ["Call"]),
            ("#book", ["Call"]), ("+book", ["Call"]), ("#\"to read\"", []),
        ])
    func findsTags(text: String, expected: [String]) throws {
        let names = try found(text)
        #expect(names == expected)
    }

    @Test(
        "a tag is found without its accents, unless another one is called so",
        arguments: [
            ("@zurich", ["Zürich"], "Zürich"), ("#zurich", ["@Zürich"], "@Zürich"),
            ("#ZÜRICH", ["zurich", "Zürich"], "Zürich"),
            ("#zurich", ["Zürich", "zurich"], "zurich"),
            ("@zurich", ["Zúrich", "Zürich"], nil), ("@zurich", ["+Zürich"], nil),
            ("#\"cafe du monde\"", ["Café du Monde"], "Café du Monde"),
        ])
    func findsTagsWithoutAccents(text: String, names: [String], expected: String?) throws {
        let tags = Fixtures.tags(names)
        let search = try? ItemSearch(
            Query(text), tags: tags, now: Fixtures.now, calendar: .utc)
        #expect(
            search?.askedTags
                == expected.map { name in
                    Set(tags.filter { $0.name == name }.map(\.id))
                })
    }

    @Test(
        "a name and a slash are the tag and those below it",
        arguments: [
            ("+House/", ["+House", "+House/Bathroom", "+house/Bathroom/Sink"]),
            ("#house/", ["+House", "+House/Bathroom", "+house/Bathroom/Sink"]),
            ("+House/bathroom/", ["+House/Bathroom", "+house/Bathroom/Sink"]),
            ("+House", ["+House"]), ("#café/", ["Café/Bar"]), ("#cafe/", ["cafe/y"]),
            ("#cafè/", ["Café/Bar", "cafe/y"]),
            ("#House/Garden/", nil), ("#Hou/", nil), ("#\"end/\"", ["end/"]), ("#end/", ["end/"]),
            ("#\"to read\"/", ["to read", "to read/now"]),
        ] as [(String, [String]?)])
    func findsTagsBelow(text: String, expected: [String]?) throws {
        let tags = Fixtures.tags([
            "+House", "+House/Bathroom", "+house/Bathroom/Sink", "Households", "Café/Bar", "end/",
            "to read", "to read/now", "cafe/y",
        ])
        let search = try? ItemSearch(Query(text), tags: tags, now: Fixtures.now, calendar: .utc)
        let found = search.map { search in
            tags.filter { search.askedTags.contains($0.id) }.map(\.name)
        }
        #expect(found == expected)
    }

    @Test("the value of a keyword may be in any case", arguments: ["is:DONE", "is:Done"])
    func anyCase(text: String) throws {
        #expect(try found(text) == ["garage"])
        #expect(try search("priority:NONE created:TODAY") == search("priority:none created:today"))
    }

    @Test(
        "a tag that the list does not have is an error, and so is a range without days",
        arguments: [
            ("created:2026-06-15..2026-05", 0..<27, "ends before it begins"),
            ("a changed:3d..1w", 2..<16, "ends before it begins"),
            ("due:1w..3d", 0..<10, "ends before it begins"),
            ("x #none", 2..<7, "no tag is named #none"), ("#work", 0..<5, "could be"),
            ("@garden", 0..<7, "no tag is named @garden"),
        ])
    func refusesTags(text: String, place: Range<Int>, reason: String) {
        let error = #expect(throws: QueryError.self) { try search(text) }
        #expect(error?.place == place)
        #expect(error?.reason.contains(reason) == true)
    }

    @Test(
        "a word of which folding leaves nothing, and which would be found everywhere, is an error",
        arguments: [
            ("\u{308}", 0..<2), ("\u{301}\u{308} x", 0..<4), ("\u{308} OR x", 0..<2),
        ])
    func refusesAccents(text: String, place: Range<Int>) throws {
        let error = #expect(throws: QueryError.self) { try search(text) }
        #expect(error?.place == place && error?.reason.contains("only accents") == true)
        #expect(try found("garage\u{308}") == ["garage"])
    }

    @Test("states, times, AND, OR and NOT choose")
    func chooses() throws {
        #expect(try found("is:done") == ["garage"])
        #expect(try found("is:noted is:untagged") == ["日本語の本"])
        #expect(try found("NOT is:untagged") == ["Weeding", "Call"])
        #expect(try found("done:today OR @phone") == ["garage", "Call"])
        #expect(try found("created:yesterday") == ["garage"])
        #expect(try found("w -garden") == [])
        #expect(try found("-garden -book is:open").count == 4)
        #expect(try found("").count == Self.names.count)
    }

    @Test("the letters that were found are marked, by graphemes")
    func marksLetters() throws {
        func marked(_ text: String, _ name: String, isFuzzy: Bool = false) throws -> String {
            let letters = try search(text, isFuzzy: isFuzzy).foundLetters(in: name)
            return zip(name, letters).map { $1 ? "\($0)" : "·" }.joined()
        }
        #expect(try marked("gar", "Water the garden") == "··········gar···")
        #expect(try marked("wgn", "Water the garden", isFuzzy: true) == "W·········g····n")
        #expect(try marked("rlz", "Go\u{308}rlitz", isFuzzy: true) == "··rl··z")
        #expect(try marked("görl", "Go\u{308}rlitz") == "Görl···")
        #expect(try marked("strasse", "Straße 5") == "Straße··")
        #expect(try marked("lodz", "Ł Łódź") == "··Łódź")
        #expect(try marked("smorrebrod", "Smørrebrød") == "Smørrebrød")
        #expect(try marked("Oster", "ØSTER Øster") == "ØSTER······")
        #expect(try marked("本本", "日本語の本", isFuzzy: true) == "·本··本")
        #expect(try marked("gar wat", "Water the garden") == "Wat·······gar···")
        #expect(try marked("is:open", "Water") == "")
        #expect(try marked("-x phone", "Water") == "")
    }

    @Test(
        "a tag is marked where a word found it, and wholly where it was asked for",
        arguments: [
            ("gar", "+Garden", "·GAR···"), ("boo", "book", "·BOO·"),
            ("wat", "+Garden", ""), ("gar OR wat", "+Garden", "·GAR···"), ("-gar", "+Garden", ""),
            ("gar -boo", "book", ""),
            ("+garden", "+Garden", "+GARDEN"), ("#book OR gar", "book", "#BOOK"),
            ("#book", "+Garden", ""), ("-#book", "book", ""), ("is:open", "book", ""),
        ])
    func marksTags(text: String, name: String, expected: String) throws {
        let tag = try #require(tags.first { $0.name == name })
        let letters = try search(text).foundLetters(inLabelOf: tag)
        #expect(zip(tag.label, letters).map { $1 ? $0.uppercased() : "·" }.joined() == expected)
    }

    @Test("letters far from each other are found, marked, and worth more beside each other")
    func findsFarLetters() throws {
        let gap = String(repeating: " -", count: 40)
        let name = "bread\(gap)zip"
        let search = try search("bzi", isFuzzy: true)
        let (near, far) = (search.score(ofName: name), search.score(ofName: "b\(gap)z\(gap)i"))
        #expect(try #require(near) > (try #require(far)))
        #expect(far != 0)
        let marked = zip(name, search.foundLetters(in: name)).filter { $1 }.map(\.0)
        #expect(String(marked) == "bzi")
    }

    @Test("what is too long to be rated is found and marked")
    func findsLongWords() throws {
        let word = String(repeating: "ab", count: 300)
        let name = "b\(word)b"
        let search = ItemSearch(words: word)
        #expect(search.score(ofName: name) == 0)
        #expect(search.foundLetters(in: name).filter(\.self).count == 600)
    }

    @Test("any text is folded, matched and marked without harm", arguments: HostileText.all)
    func survivesAnyText(text: String) throws {
        let queries = ["a", "é", "本", "'a\u{301}", "a\u{301}"]
        for (query, isFuzzy) in queries.flatMap({ [($0, false), ($0, true)] }) {
            let search = try search(query, isFuzzy: isFuzzy)
            let item = Item(
                id: Fixtures.id(1), name: text, note: text, rank: .between(nil, nil),
                createdAt: Fixtures.now)
            #expect(search.finds(item) == PlainSearch(search: search).finds(item))
            let letters = search.foundLetters(in: text)
            #expect(letters.isEmpty || letters.count == text.count)
            if letters.contains(true) { #expect(search.finds(item)) }
            let tag = Tag(id: Fixtures.id(2), name: text, color: .red, rank: .middle)
            let tagged = try ItemSearch(
                Query(query), isFuzzy: isFuzzy, tags: [tag], now: Fixtures.now, calendar: .utc)
            let marks = tagged.foundLetters(inLabelOf: tag)
            #expect(marks.isEmpty || marks.count == tag.label.count)
        }
    }
}

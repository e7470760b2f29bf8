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

    /// What a query finds, best first, as the first words of names.
    private func found(
        _ text: String, words: ItemSearch.WordRule = .fuzzy
    ) throws -> [String] {
        let search = try search(text, words: words)
        var matcher = ItemMatcher(search)
        return items.enumerated()
            .compactMap { place, item in
                matcher.score(of: item).map { (place: place, score: $0, name: item.name) }
            }
            .sorted { ($1.score, $0.place) < ($0.score, $1.place) }
            .map { String($0.name.prefix { $0 != " " }) }
    }

    private func search(
        _ text: String, words: ItemSearch.WordRule = .fuzzy
    ) throws -> ItemSearch {
        try ItemSearch(
            Query(text), words: words, tags: tags, now: Fixtures.now, calendar: .utc)
    }

    @Test(
        "on the screen a word is found in names, tags and notes, whatever its accents",
        arguments: [
            ("gar", ["Water", "garage", "Weeding", "Görlitz"]),
            ("grd", ["Water", "garage", "Weeding", "Görlitz"]),
            ("gorlitz", ["Görlitz"]), ("GÖRLITZ", []), ("görlitz", ["Görlitz"]),
            ("Gör", ["Görlitz"]), ("strasse", ["Görlitz"]), ("本語", ["日本語の本"]), ("日の本", ["日本語の本"]),
            ("本日", []), ("дешево", ["ДЁШЕВО"]), ("zoe", ["日本語の本"]), ("zkanji", []),
            ("phone", ["Call"]), ("'wat", ["Water"]), ("^water", ["Water"]), ("door$", ["garage"]),
            ("^weeding$", ["Weeding"]), ("^weed$", []), ("\"the gar\"", ["Water"]),
        ])
    func findsWords(text: String, expected: [String]) throws {
        let names = try found(text)
        #expect(names == expected)
    }

    @Test("on the command line a word is a part, in any case")
    func findsParts() throws {
        #expect(try found("GAR", words: .part) == ["Water", "garage", "Weeding"])
        #expect(try found("grd", words: .part) == [])
        #expect(try found("'Gar", words: .part) == ["Weeding"])
        #expect(try found("'Gar") == ["Weeding"])
    }

    @Test("a hyphen on the command line is NOT; on the screen it leaves out a part, and heeds case")
    func excludesParts() throws {
        for word in ["gar", "GAR", "grd", "Gör", "GÖR", "日の本", "C++", "f(x)"] {
            let search = try search("-\(word)", words: .part)
            #expect(search == (try self.search("NOT \(word)", words: .part)), "\(word)")
        }
        #expect(try !found("-GAR", words: .part).contains("garage"))
        for words in [ItemSearch.WordRule.fuzzy, .part] {
            #expect(try found("!GAR", words: words).contains("garage"))
        }
        #expect(try found("-GAR").contains("garage"))
        #expect(try found("-grd").contains("garage"))
        #expect(try !found("-gar").contains("garage"))
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
            Query(text), words: .part, tags: tags, now: Fixtures.now, calendar: .utc)
        #expect(
            search?.askedTags
                == expected.map { name in
                    Set(tags.filter { $0.name == name }.map(\.id))
                })
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
        func marked(_ text: String, _ name: String) throws -> String {
            let letters = ItemMatcher(try search(text)).foundLetters(in: name)
            return zip(name, letters).map { $1 ? "\($0)" : "·" }.joined()
        }
        #expect(try marked("gar", "Water the garden") == "··········gar···")
        #expect(try marked("wgn", "Water the garden") == "W·········g····n")
        #expect(try marked("rlz", "Go\u{308}rlitz") == "··rl··z")
        #expect(try marked("görl", "Go\u{308}rlitz") == "Görl···")
        #expect(try marked("strasse", "Straße 5") == "Straße··")
        #expect(try marked("lodz", "Ł Łódź") == "··Łódź")
        #expect(try marked("'smorrebrod", "Smørrebrød") == "Smørrebrød")
        #expect(try marked("Oster", "ØSTER Øster") == "······Øster")
        #expect(try marked("本本", "日本語の本") == "·本··本")
        #expect(try marked("gar ^wat", "Water the garden") == "Wat·······gar···")
        #expect(try marked("is:open", "Water") == "")
        #expect(try marked("-x phone", "Water") == "")
    }

    @Test(
        "a tag is marked where a word found it, and wholly where it was asked for",
        arguments: [
            ("gar", "+Garden", "·GAR···"), ("gdn", "+Garden", "·G··D·N"), ("boo", "book", "·BOO·"),
            ("wat", "+Garden", ""), ("gar OR wat", "+Garden", "·GAR···"), ("-gar", "+Garden", ""),
            ("^gar", "+Garden", ""), ("gar -boo", "book", ""),
            ("+garden", "+Garden", "+GARDEN"), ("#book OR gar", "book", "#BOOK"),
            ("#book", "+Garden", ""), ("-#book", "book", ""), ("is:open", "book", ""),
        ])
    func marksTags(text: String, name: String, expected: String) throws {
        let tag = try #require(tags.first { $0.name == name })
        let letters = ItemMatcher(try search(text)).foundLetters(inLabelOf: tag)
        #expect(zip(tag.label, letters).map { $1 ? $0.uppercased() : "·" }.joined() == expected)
    }

    @Test("letters far from each other are found, marked, and worth more beside each other")
    func findsFarLetters() throws {
        let gap = String(repeating: " -", count: 40)
        let name = "bread\(gap)zip"
        var matcher = ItemMatcher(try search("bzi"))
        let items = Fixtures.items([name, "b\(gap)z\(gap)i"])
        let (near, far) = (matcher.score(of: items[0]), matcher.score(of: items[1]))
        #expect(try #require(near) > (try #require(far)))
        #expect(far != 0)
        let marked = zip(name, matcher.foundLetters(in: name)).filter { $1 }.map(\.0)
        #expect(String(marked) == "bzi")
    }

    @Test("what is too long to be rated is found and marked")
    func findsLongWords() throws {
        let word = String(repeating: "ab", count: 300)
        let name = "b\(word)b"
        var matcher = ItemMatcher(try search(word))
        #expect(matcher.score(of: Fixtures.items([name])[0]) == 0)
        #expect(matcher.foundLetters(in: name).filter(\.self).count == 600)
    }

    @Test("what finds a tag by its new name narrows nothing that was found by the old one")
    func narrowsTags() throws {
        func search(_ text: String, tag: String) throws -> ItemSearch {
            try ItemSearch(
                Query(text), words: .fuzzy, tags: Fixtures.tags([tag]), now: Fixtures.now,
                calendar: .utc)
        }
        #expect(try !search("ma", tag: "mail").narrows(search("ma", tag: "phone")))
        #expect(try search("ma", tag: "phone").narrows(search("ma", tag: "mail")))
        #expect(try search("mai", tag: "mail").narrows(search("ma", tag: "mail")))
    }

    @Test("what a search asks besides another is known where it asks for all of that")
    func beyond() throws {
        func search(_ text: String) throws -> ItemSearch { try self.search(text) }
        #expect(try search("ar g").beyond(search("ar"))?.looksForText == true)
        #expect(try search("ar g").beyond(search("g ar")) == .everything)
        #expect(try search("ar ar").beyond(search("ar"))?.looksForText == true)
        #expect(try search("ar").beyond(search("ar ar")) == nil)
        #expect(try search("ar g").beyond(search("a")) == nil)
        #expect(try search("ar OR g").beyond(search("ar")) == nil)
        #expect(try search("ar").and(.state(.open)).beyond(search("ar"))?.looksForText == false)
    }

    @Test("any text is folded, matched and marked without harm", arguments: HostileText.all)
    func survivesAnyText(text: String) throws {
        for query in ["a", "é", "本", "'a\u{301}", "^\u{200d}", "a\u{301}"] {
            var matcher = ItemMatcher(try search(query))
            let item = Item(
                id: Fixtures.id(1), name: text, note: text, rank: .between(nil, nil),
                createdAt: Fixtures.now)
            let isFound = matcher.includes(item)
            let letters = matcher.foundLetters(in: text)
            #expect(letters.isEmpty || letters.count == text.count)
            if letters.contains(true) { #expect(isFound) }
            let tag = Tag(id: Fixtures.id(2), name: text, color: .red, rank: .middle)
            let tagged = try ItemSearch(
                Query(query), words: .fuzzy, tags: [tag], now: Fixtures.now, calendar: .utc)
            let marks = ItemMatcher(tagged).foundLetters(inLabelOf: tag)
            #expect(marks.isEmpty || marks.count == tag.label.count)
        }
    }
}

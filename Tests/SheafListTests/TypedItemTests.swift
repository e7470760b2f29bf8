import SheafTestSupport
import Testing

@testable import SheafList

/// The meaning of typed texts.
@Suite("A typed item")
struct TypedItemTests {
    private let tags = TypedTextTable.tags

    /// A Sunday.
    private static let today = CalendarDay("2026-11-22") ?? .first

    private func typed(
        _ text: String, renaming former: (name: String, tags: [SheafList.Tag])? = nil
    ) -> TypedItem {
        TypedItem(text, renaming: former, tags: KnownTags(tags), today: Self.today)
    }

    private func meanings(_ text: String) -> [String] { typed(text).meanings(today: Self.today) }

    /// An item with the name, and with the tags of these names.
    private func item(_ name: String, _ names: [String]) -> Item {
        var item = Fixtures.items([name])[0]
        item.tags = Set(tags.filter { names.contains($0.name) }.map(\.id))
        return item
    }

    /// The item after `typed`, and the names of its tags.
    private func taking(_ typed: TypedItem, _ item: Item) -> (item: Item, tags: [String]) {
        var item = item
        item.apply(typed, tags: typed.knownTags.map(\.id))
        let known = tags.filter { item.tags.contains($0.id) }.map(\.name)
        return (item, Set(known + typed.newTagNames).sorted())
    }

    private func expect(
        _ typed: TypedItem, of item: Item, _ row: TypedTextTable.Row
    ) {
        let taken = taking(typed, item)
        #expect(taken.item.name == row.name)
        #expect(taken.tags == row.tags)
        #expect(taken.item.fieldWords == row.fields)
    }

    @Test("the table of texts", arguments: TypedTextTable.rows)
    func texts(_ row: TypedTextTable.Row) {
        expect(typed(row.text), of: item("", []), row)
        #expect(typed(row.text).hasMoreThanName == (row.name != row.text || !row.tags.isEmpty))
    }

    @Test("the table of renames", arguments: TypedTextTable.renames)
    func renames(_ rename: TypedTextTable.Rename) {
        let item = item(rename.name, rename.tags)
        let former = (
            name: item.name, tags: tags.filter { item.tags.contains($0.id) }
        )
        expect(typed(rename.result.text, renaming: former), of: item, rename.result)
    }

    @Test("a name that was read means nothing new when it is read as the name that it was")
    func sameName() {
        for row in TypedTextTable.rows {
            let named = taking(typed(row.text), item("", []))
            let former = (
                name: named.item.name, tags: tags.filter { named.item.tags.contains($0.id) }
            )
            let again = typed(named.item.name, renaming: former)
            #expect(!again.hasMoreThanName && again.lostTags.isEmpty, "\(row.text)")
        }
    }

    @Test("the words in the name stand for the tags that they were read as")
    func tagWords() {
        for row in TypedTextTable.rows {
            let typed = typed(row.text)
            let words = Tag.words(of: typed.name, naming: typed.knownTags)
            let text = typed.words.filter { word in
                if case .tag = word.label { true } else { false }
            }
            #expect(words.count <= text.count, "\(row.text)")
        }
        #expect(
            Tag.words(of: typed("host on #nas (nginx)").name, naming: tags).map(\.tag.name)
                == ["@nas"])
    }

    @Test(
        "white space around a word goes with it",
        arguments: [
            ("a #b\u{a0}c\u{2003}#d ", "a #b\u{a0}c"), ("  #b  a  c", "a  c"), (" a #b", " a"),
            ("a due:2026-12-01  b", "a  b"), ("#b a\t#c\t", "a"), ("a ", "a "),
        ])
    func space(text: String, name: String) {
        #expect(typed(text).name == name)
    }

    @Test(
        "the meaning in words",
        arguments: [
            (
                "Ring vet +Pets @home due:fri rec:+1y",
                ["new tag +Pets", "@home", "due Fri 27 Nov", "every year"]
            ),
            (
                "(A) x t:3d #new #New",
                ["priority A", "scheduled for Wed 25 Nov", "new tag #new"]
            ),
            ("x #book #book rec:2w", ["#book", "2 weeks after done"]), ("x", []), ("\\#book", []),
        ])
    func words(text: String, meanings: [String]) {
        #expect(self.meanings(text) == meanings)
    }

    @Test("a tag that lost its word is told of")
    func lost() {
        let former = (name: "on @nas x", tags: tags.filter { $0.name == "@nas" })
        #expect(typed("on x", renaming: former).meanings(today: Self.today) == ["without @nas"])
    }

    @Test("an escaped word stays text beside a tag that the item gets from elsewhere")
    func given() {
        let typed = TypedItem(
            "say \\#book, \\#work", given: tags.filter { $0.name == "book" }, tags: KnownTags(tags),
            today: Self.today)
        #expect(typed.name == "say \\#book, #work")
    }

    @Test("the word none clears a field")
    func cleared() {
        var item = item("a", [])
        (item.due, item.repeat) = (Self.today, Repeat("1w"))
        let (renamed, _) = taking(
            typed("a due:none rec:none", renaming: (name: "a", tags: [])), item)
        #expect(renamed.name == "a" && renamed.due == nil && renamed.repeat == nil)
    }

    @Test("tags that no word can spell are taken out of the name")
    func unspelled() {
        let spaced = Fixtures.tags(["+ my tag", "+ x"])
        let typed = TypedItem("a #x b", tags: KnownTags(spaced), today: Self.today)
        #expect(typed.name == "a b" && typed.knownTags.map(\.name) == ["+ x"])
        let alone = TypedItem("#x", tags: KnownTags(spaced), today: Self.today)
        #expect(alone.name == "#x" && alone.knownTags.map(\.name) == ["+ x"])
    }

    @Test("tags whose names end in punctuation are found with it")
    func punctuatedTag() {
        let known = KnownTags(Fixtures.tags(["Yahoo!", "c#"]))
        #expect(TypedItem("ask #yahoo!", tags: known, today: Self.today).name == "ask")
        #expect(TypedItem("learn #C#", tags: known, today: Self.today).name == "learn")
        #expect(
            TypedItem("ask #yahoo! now", tags: known, today: Self.today).name == "ask #Yahoo! now")
    }

    @Test("random texts lose nothing but the words that were read", arguments: 0..<50)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = [
            "#", "+", "@", "book", "nas", "new", " ", "  ", "\u{a0}", "\\", ",", ".", "!", "(A)",
            "due:",
            "2026-12-01", "rec:2w", "t:", "\u{301}", "é", "日本", "👍🏽", "\u{200b}", "12", ":", "/",
            "\n",
        ]
        for _ in 0..<200 {
            let count = Int.random(in: 1...12, using: &generator)
            let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }
                .joined()
            let typed = typed(text)
            #expect(typed.name.isBlank == text.isBlank, "\(text.debugDescription)")
            #expect(typed.hasMoreThanName || typed.name.utf8.elementsEqual(text.utf8))
            #expect(
                zip(typed.words, typed.words.dropFirst()).allSatisfy {
                    $0.place.upperBound <= $1.place.lowerBound
                })
            #expect(typed.words.allSatisfy { $0.place.upperBound <= text.utf8.count })
            // A tag's own spelling may be longer than the typed word.
            let isShorter = typed.name.utf8.count <= text.utf8.count + 10
            #expect(isShorter, "\(text.debugDescription)")
            let named = taking(typed, item("", []))
            let former = (
                name: named.item.name, tags: tags.filter { named.item.tags.contains($0.id) }
            )
            let again = self.typed(named.item.name, renaming: former)
            #expect(!again.hasMoreThanName && again.lostTags.isEmpty, "\(text.debugDescription)")
        }
    }

    @Test("an enormous former name is no obstacle")
    func enormousFormer() {
        let name = String(repeating: "a #book ", count: 100_000)
        let former = (name: name, tags: tags)
        #expect(typed("a #book #work", renaming: former).name == "a #book")
        #expect(typed(name, renaming: (name: "@home x", tags: tags)).lostTags.isEmpty)
    }

    @Test("in a line longer than anybody types nothing is looked for")
    func enormous() {
        let text = String(repeating: "a #book ", count: 100_000)
        #expect(typed(text).words.isEmpty)
        #expect(typed(text).name == text)
    }

    @Test("a word that was pasted, or a part of it, is text")
    func pasted() {
        func words(_ edits: LineEditor.Edit...) -> [Range<Int>] {
            var line = LineEditor()
            for edit in edits { line.apply(edit) }
            return TypedItem(
                line.text, pasted: line.pasted, tags: KnownTags(tags), today: Self.today
            ).words.map(\.place)
        }
        #expect(words(.insert("a "), .paste("#book"), .insert(" #book")) == [8..<13])
        #expect(words(.insert("a #"), .paste("book")) == [])
        #expect(words(.paste("a "), .insert("#book")) == [2..<7])
        #expect(words(.insert("a #book "), .paste("x"), .backwardDeleteChar) == [2..<7])
        // A text that ^Y puts back is read as before.
        #expect(words(.insert("a #book"), .unixWordRubout, .yank) == [2..<7])
        #expect(words(.insert("a "), .paste("#book"), .unixWordRubout, .yank) == [])
    }
}

/// Values that cannot be read, and the tags that the names of a text mean.
@Suite("Words that are text, and tags of texts")
struct TextWordTests {
    private static let today = CalendarDay("2026-11-25")!

    @Test(
        "a word with the key of a field and no value of it is text, and the meanings say so",
        arguments: [
            ("a due:frii", ["due:frii is no date"]), ("t:foo a", ["t:foo is no date"]),
            ("a rec:foo #b", ["new tag #b", "rec:foo is no repeat"]), ("a due:", []),
            ("a due:none", ["no due date"]), ("a rec:none t:none", ["no repeat", "not scheduled"]),
            ("a \\due:frii", []), ("a at:frii", []),
            ("a due:2026-02-30", ["due:2026-02-30 is no date"]),
            ("a due:2026-12-01 due:sat", ["due Tue 1 Dec", "due:sat stays text"]),
        ])
    func unread(text: String, meanings: [String]) {
        let typed = TypedItem(text, tags: KnownTags(Fixtures.tags([])), today: Self.today)
        #expect(typed.meanings(today: Self.today) == meanings)
        let words = meanings.filter { $0.contains(" is no ") }
        #expect(words.allSatisfy { typed.name.contains($0.prefix { $0 != " " }) })
    }

    @Test("the meanings show the tag that a word with another sigil means")
    func otherSigil() {
        let tags = KnownTags(Fixtures.tags(["shop", "+garden"]))
        let typed = TypedItem("a @shop #garden @garden", tags: tags, today: Self.today)
        #expect(
            typed.meanings(today: Self.today) == ["#shop", "+garden", "new tag @garden"])
    }

    @Test("the names of a text mean the tags that typed words mean, but different names stay apart")
    func names() {
        let tags = Fixtures.tags(["shop", "+garden", "+red", "@red"])
        func meant(_ names: [String]) -> [String?] {
            var text = TextTags(KnownTags(tags), names: names)
            return names.map { text.tag(for: $0)?.name }
        }
        #expect(meant(["Garden", "@shop", "red", "new"]) == ["+garden", "shop", nil, nil])
        #expect(meant(["garden", "+garden"]) == [nil, "+garden"])
        #expect(meant(["@shop", "+shop"]) == ["shop", nil])
        #expect(meant(["@shop", "@Shop", "shop"]) == [nil, nil, "shop"])
    }
}

@Suite("The pasted parts of a line")
struct PastedPartsTests {
    @Test("they stay with their text whatever is done to the line", arguments: 0..<20)
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var line = LineEditor()
        let edits: [LineEditor.Edit] = [
            .insert("ab"), .paste("XY"), .insert("a"), .paste("X"), .backwardChar, .forwardChar,
            .beginningOfLine, .backwardDeleteChar, .deleteChar, .backwardKillWord, .killLine, .yank,
            .insert(" "), .endOfLine,
        ]
        for _ in 0..<300 {
            if line.text.utf8.count > 200 { line = LineEditor() }
            line.apply(edits[Int.random(in: 0..<edits.count, using: &generator)])
            // Capitals were pasted, and nothing else was.
            let bytes = Array(line.text.utf8)
            let marked = Set(line.pasted.ranges.joined())
            let capitals = bytes.indices.filter { (UInt8(ascii: "A")...0x5a).contains(bytes[$0]) }
            #expect(marked == Set(capitals), "\(line.text)")
            #expect(
                zip(line.pasted.ranges, line.pasted.ranges.dropFirst())
                    .allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }
}

import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("Markdown checklists")
struct MarkdownTests {
    private func parse(_ text: String) throws -> ParsedList {
        try ListFormat.markdown.parse(Data(text.utf8))
    }

    private func items(_ text: String) throws -> [ImportedItem] {
        try ListFormat.markdown.read(Data(text.utf8)).items
    }

    // MARK: Items

    @Test("bullets and numbers are items, done where their box is ticked")
    func bullets() throws {
        let items = try items(
            "- [ ] a\n* [x] b\n+ [X]   c\n1. [ ] d\n2) [x] e\n- f\n7. g\n- [link](u)\n- [] h\n- [x]i\n"
        )
        #expect(
            items.map(\.name) == ["a", "b", "c", "d", "e", "f", "g", "[link](u)", "[] h", "[x]i"])
        #expect(
            items.map { $0.done != .no } == [
                false, true, true, false, true, false, false, false, false, false,
            ])
    }

    @Test("nested items follow the one that they stand under, and are counted")
    func nested() throws {
        let parsed = try parse("- a\n  - b\n\t\t- [x] c\n    note of b\n  note of a\n- d\n")
        #expect(parsed.list.items.map(\.name) == ["a", "b", "c", "d"])
        #expect(parsed.list.items.map(\.note) == ["note of a", "note of b", "", ""])
        #expect(parsed.nestedItems == 2)
    }

    @Test("a bullet under a box is part of the note of that item, and a nested box is an item")
    func bulletsUnderBoxes() throws {
        let text = """
            - [ ] a
              - one
                1. deeper
                - [ ] b
                  more
              - two
            - c
              - d

            """
        let parsed = try parse(text)
        #expect(parsed.list.items.map(\.name) == ["a", "b", "c", "d"])
        #expect(parsed.list.items.map(\.note) == ["- one\n  1. deeper\n- two", "more", "", ""])
        #expect(parsed.nestedItems == 2)
        #expect(
            try RoundTrip.copy(text, .markdown) == """
                - [ ] a
                  - one
                    1. deeper
                  - two
                - [ ] b
                  more
                - [ ] c
                - [ ] d

                """)
    }

    @Test("a note has a backslash where a line would be an item, and none before a digit")
    func escapedNote() throws {
        var item = Fixtures.item(1, "a")
        item.note = "- [ ] b\n1. [x] c\n2) [/] d\n- e\n\\- f\n1. g"
        let text = try RoundTrip.text(.markdown, [item], tags: [])
        #expect(
            text == """
                - [ ] a
                  \\- [ ] b
                  1\\. [x] c
                  2\\) [/] d
                  - e
                  \\\\- f
                  1. g

                """)
        #expect(try RoundTrip.list(text, .markdown).items.map(\.note) == [item.note])
    }

    @Test("any character may be in a box: D and - close it, others do not")
    func boxes() throws {
        let parsed = try parse(
            "- [-] a\n- [D] b\n- [/] c\n- [>] d\n- [1] e\n- [é] f\n- [12] g\n- [x](u)\n- [✓] h\n")
        let items = parsed.list.items
        #expect(items.map(\.name) == ["a", "b", "c", "d", "e", "f", "[12] g", "[x](u)", "h"])
        #expect(items.map { $0.done != .no } == [true, true] + [Bool](repeating: false, count: 7))
        let cancelled = try self.items("- [-] a ❌ 2026-03-05\n- [x] b ❌ 2026-03-05\n")
        #expect(cancelled.map(\.name) == ["a", "b ❌ 2026-03-05"])
        #expect(cancelled[0].done == .yes(at: Timestamp(iso8601: "2026-03-05")))
    }

    @Test("boxes in block quotes are items, and other text there is left out")
    func quotes() throws {
        let text = """
            > [!todo] This week
            > - [ ] a
            >   note of a
            > - b
            > > - [x] c

            > ```
            > - [ ] no item
            > ```
            > - [ ] d
            after
            - [ ] e
              > a quote
              > - [ ] in the note
            """
        let parsed = try parse(text)
        #expect(parsed.list.items.map(\.name) == ["a", "c", "d", "e"])
        #expect(
            parsed.list.items.map(\.note) == [
                "note of a", "", "", "> a quote\n> - [ ] in the note",
            ])
        #expect(
            parsed.skippedText.map(\.description) == [
                "line 1: text that belongs to no item", "line 4: text that belongs to no item",
                "line 7: a code block, up to line 9", "line 11: text that belongs to no item",
            ])
    }

    // MARK: Tags

    @Test(
        "tags at the beginning and the end are taken out, and those in the sentence stay",
        arguments: [
            ("#shop Milk and bread #dairy", "Milk and bread", ["dairy", "shop"]),
            ("host on #nas (nginx)", "host on #nas (nginx)", ["nas"]),
            ("host on #nas, then #web", "host on #nas, then", ["nas", "web"]),
            ("host on #nas.", "host on #nas.", ["nas"]),
            ("#one #two", "#one #two", ["one", "two"]),
            ("fix #12 in #!/bin now", "fix #12 in #!/bin now", []),
            ("a \\#b c", "a #b c", []), ("+x a @y", "+x a @y", []), ("(#a) b", "(#a) b", []),
            ("Pay #a 📅 soon", "Pay #a 📅 soon", ["a"]), ("#a due:2026-03-06", "#a", ["a"]),
            // An escaped word beside the tag that it would be.
            ("a \\#b c #b", "a \\#b c", ["b"]), ("\\#B, then #b, \\#c", "\\#B, then #b, #c", ["b"]),
            ("#b a \\\\#b \\#b.", "a \\\\#b \\#b.", ["b"]),
            // A tag that several words spell.
            ("a #x b #x c #x", "a #x b #x c #x", ["x"]),
            ("Two #a #b end #a", "Two #a #b end #a", ["a", "b"]),
            ("a #x #X", "a #x #X", ["X", "x"]),
            ("#a b #a, c", "#a b #a, c", ["a"]),
            ("a #b #c, #c #d", "a #b #c, #c", ["b", "c", "d"]),
            // The end of a tag, formulas, and links with a reference.
            ("see #a,#b now", "see #a,#b now", ["a"]), ("a #b;#c", "a #b;#c", ["b"]),
            ("a #b=#c, $5 #d $6", "a #b=#c, $5 #d $6", ["b", "d"]),
            ("a $x #b$ #c", "a $x #b$", ["c"]),
            ("a [x #b][1] [y #c][] #d", "a [x #b][1] [y #c][]", ["d"]),
            ("**#a** ==#b== (#c) d", "**#a** ==#b== (#c) d", []),
            ("a #\u{64B}x b #\u{64B}y", "a #\u{64B}x b", ["\u{64B}x", "\u{64B}y"]),
            // Code and links.
            ("run `git #a` #b", "run `git #a`", ["b"]), ("run `git #a`", "run `git #a`", []),
            ("run `git \\#a` \\#b c", "run `git \\#a` #b c", []),
            ("see [[B #a]]", "see [[B #a]]", []),
            ("#b see [the #a](u #a)", "see [the #a](u #a)", ["b"]), ("a ` #b", "a `", ["b"]),
        ])
    func tagWords(text: String, name: String, tags: [String]) throws {
        let item = try items("- [ ] \(text)")[0]
        #expect(item.name == name)
        #expect(Set(item.tags ?? []) == Set(tags))
        let copy = try RoundTrip.copy("- [ ] \(text)", .markdown)
        #expect(try RoundTrip.copy(copy, .markdown) == copy)
        #expect(try items(copy)[0].name == name)
        #expect(Set(try items(copy)[0].tags ?? []) == Set(tags))
    }

    @Test(
        "escaped and repeated words come back as they were",
        arguments: [
            "Say \\#x in the text #x", "Say \\#x beside #x, ok", "a #x b #x c #x",
            "Two #a #b end #a",
            "\\#Garden or garden", "#x a #x",
        ])
    func sameWords(line: String) throws {
        let text = "## Garden\n\n- [ ] \(line)\n- [ ] other\n"
        var (items, tags) = try RoundTrip.list(text, .markdown)
        #expect(try RoundTrip.text(.markdown, items, tags: tags) == text)
        for place in tags.indices {
            let former = tags[place]
            let new = former.name + "2"
            tags[place].name = new
            for index in items.indices { items[index].replace(former, with: tags[place]) }
            let renamed = try RoundTrip.text(.markdown, items, tags: tags)
            #expect(
                renamed.contains("\\#\(former.name)") == text.contains("\\#\(former.name)"))
            let back = tags[place]
            tags[place].name = former.name
            for index in items.indices { items[index].replace(back, with: tags[place]) }
            #expect(try RoundTrip.text(.markdown, items, tags: tags) == text)
        }
        let lastTag = try #require(tags.last)
        for index in items.indices { items[index].remove(lastTag) }
        let rest = try RoundTrip.text(.markdown, items, tags: tags)
        #expect(rest.contains("\\#\(lastTag.name)") == text.contains("\\#\(lastTag.name)"))
    }

    @Test("headings that begin with a #, and others of one tag, come back or are reported")
    func numberedHeadings() throws {
        let text = """
            ### #work stuff

            - [ ] a

            # #monday

            - [ ] b

            ## Monday

            - [ ] c #work%20stuff

            """
        #expect(
            try RoundTrip.copy(text, .markdown).replacing("Monday", with: "monday")
                == text.replacing("Monday", with: "monday"))
        #expect(try parse(text).list.tags.map(\.name) == ["work stuff", "monday"])
        let parsed = try parse(
            "# A\n- a\n***\n---\n##\n- b\n# A\n- c\n# a <!-- no tag -->\n- d\n# #\n# B\n# A\n- e\n## A\n- f"
        )
        #expect(parsed.list.items.count == 6)
        #expect(
            parsed.skippedText.map(\.description) == [
                "line 3: a rule", "line 4: a rule", "line 5: a heading that is not a tag",
                "line 7: a heading like the one before it", "line 9: a heading that is not a tag",
                "line 11: a heading that is not a tag",
                "line 12: a heading without items of its own",
                "line 13: a heading like the one before it",
            ])
    }

    @Test("a date of an item without signs becomes a sign if most items of the file have signs")
    func habit() throws {
        let signed = "- [ ] a 📅 2026-03-06\n- [ ] b\n- [x] c\n"
        for (text, line) in [
            (signed, "b 📅 2026-03-09"), (signed + "- [ ] d due:2026-03-06\n", "b due:2026-03-09"),
            ("- [ ] a due:2026-03-06\n- [ ] b\n- [x] c\n", "b due:2026-03-09"),
        ] {
            #expect(try RoundTrip.copy(text, .markdown) == text)
            var (items, tags) = try RoundTrip.list(text, .markdown)
            items[1].due = CalendarDay("2026-03-09")
            let edited = try RoundTrip.text(.markdown, items, tags: tags)
            #expect(edited == text.replacing("- [ ] b\n", with: "- [ ] \(line)\n"))
        }
    }

    @Test("a tag that the name spells is not repeated, and a word that is no tag is no tag")
    func spelledTags() throws {
        let tags = [Fixtures.tag(1, "nas"), Fixtures.tag(2, "-"), Fixtures.tag(3, "+p")]
        for (name, ids, line) in [
            ("host on #NAS (x)", [0], "host on #NAS (x)"),
            ("host on #nas (x)", [], "host on \\#nas (x)"),
            ("a #- b", [1], "a \\#- b #-"), ("a +p b", [2], "a +p b #+p"),
            ("read #nas", [0], "read #nas <!-- sheaf: {\"name\": \"read #nas\"} -->"),
        ] {
            let item = Fixtures.item(1, name, tags: Set(ids.map { tags[$0].id }))
            #expect([item, item].checklist(tags: tags).hasPrefix("- [ ] \(line)\n"))
            let text = try RoundTrip.text(.markdown, [item], tags: tags)
            let read = try RoundTrip.list(text, .markdown)
            #expect(read.items.map(\.name) == [name])
            #expect(read.tags.count == ids.count)
            #expect(try RoundTrip.text(.markdown, read.items, tags: read.tags) == text)
        }
    }

    @Test("no HTML anchor is a tag")
    func anchors() throws {
        let text =
            "## <a name=\"b\"></a>Books\n- a\n## <a id='x'/>\n- b\n## <b>c</b> <A href=\"u\">d</A>\n- c\n"
        #expect(try parse(text).list.tags.map(\.name) == ["Books", "<b>c</b> d"])
        let tag = Fixtures.tag(1, "<a>x</a>")
        let list = try RoundTrip.text(
            .markdown, [Fixtures.item(1, "n", tags: [tag.id])], tags: [tag])
        #expect(try RoundTrip.list(list, .markdown).tags.map(\.name) == [tag.name])
    }

    @Test("the nearest heading above is a tag, and so are the last words with a #")
    func tags() throws {
        let text = """
            - before
            # Books
            - a
            ## Swift ##
            - b #new #to%20read
            - c # d
            - fix #12
            - learn C#
            - not a \\#tag
            - #alone
            ---
            - after the rule
            Setext
            ------
            - e #Setext
            # Untagged <!-- no tag -->
            - f
            #nospace
            """
        let parsed = try parse(text)
        let items = parsed.list.items
        #expect(
            items.map(\.name) == [
                "before", "a", "b", "c # d", "fix #12", "learn C#", "not a #tag", "#alone",
                "after the rule", "e", "f",
            ])
        #expect(items[2].tags == ["Swift", "new", "to read"])
        #expect(
            items.map { $0.tags?.first } == [
                nil, "Books", "Swift", "Swift", "Swift", "Swift", "Swift", "Swift", "Swift",
                "Setext",
                nil,
            ])
        #expect(items[9].tags == ["Setext"])
        #expect(
            parsed.list.tags.map(\.name) == ["Books", "Swift", "Setext", "new", "to read"])
    }

    @Test(
        "no rename puts the spelling of a line into a comment",
        arguments: ["12", "c#,d", "two words", "a <!-- no tag -->", "x #", "#", "(a"])
    func oddNames(name: String) throws {
        var (items, tags) = try RoundTrip.list("# Garden\n- [ ] a\n- [ ] #Garden #x b", .markdown)
        for place in tags.indices where tags[place].name != "x" {
            let former = tags[place]
            tags[place].name = name
            for index in items.indices { items[index].replace(former, with: tags[place]) }
        }
        let text = try RoundTrip.text(.markdown, items, tags: tags)
        #expect(!text.contains("sheaf:"), "\(text)")
        #expect(try RoundTrip.list(text, .markdown).tags.map(\.name).contains(name))
    }

    // MARK: Notes

    @Test("indented text is the note, with its blank lines, its own indentation and its code")
    func notes() throws {
        let text = """
            - a
              first
                deeper

              second

              ```
              - [ ] no item
              # no heading

                code
              ```
              # in the note
              \\- no item
            - b

                four columns

            - c
            """
        let items = try items(text)
        #expect(items.map(\.name) == ["a", "b", "c"])
        #expect(
            items[0].note == """
                first
                  deeper

                second

                ```
                - [ ] no item
                # no heading

                  code
                ```
                # in the note
                - no item
                """)
        #expect(items[1].note == "four columns")
        #expect(try RoundTrip.copy(text, .markdown).contains("  - [ ] no item\n"))
        #expect(try RoundTrip.copy(text, .markdown).contains("  - no item\n"))
    }

    @Test("a note that the lines cannot spell is in a comment")
    func hiddenNote() throws {
        var item = Fixtures.item(1, "a")
        item.note = "end -->\n"
        item.extras = [.init(key: "k", value: "<!-- v -->")]
        let text = try RoundTrip.text(.markdown, [item], tags: [])
        #expect(
            text == #"""
                - [ ] a <!-- sheaf: {"extras": [["k", "\u003c!-- v --\u003e"]], "note": "end --\u003e\n"} -->

                """#)
        #expect(try RoundTrip.list(text, .markdown).items[0].note == item.note)
    }

    // MARK: Lines without an item

    @Test("text that belongs to no item is reported, once a block")
    func leftOut() throws {
        let text = """
            ---
            title: x
            ---
            A paragraph
            of two lines.

            > quoted
            <!-- hidden
            - [ ] in a comment
            -->
            - a
            ~~~
            - [ ] in code
            ~~~
            | table |
                - [x] far in
            ## Nothing
            """
        let parsed = try parse(text)
        #expect(parsed.list.items.map(\.name) == ["a", "far in"])
        #expect(
            parsed.skippedText.map(\.description) == [
                "line 1: the front matter, up to line 3",
                "line 4: text that belongs to no item, up to line 5",
                "line 7: text that belongs to no item", "line 8: a comment, up to line 10",
                "line 12: a code block, up to line 14", "line 15: text that belongs to no item",
                "line 17: a heading without items of its own",
            ])
        #expect(parsed.errors.isEmpty)
    }

    @Test("a bullet without a name is left out, and a line that is not UTF-8 is bad")
    func bad() throws {
        let bytes = Array("- a\n- [ ]\n  its note\n-\n- b".utf8) + [0xFF] + Array("\n- c\n".utf8)
        let parsed = try ListFormat.markdown.parse(Data(bytes))
        #expect(parsed.list.items.map(\.name) == ["a", "c"])
        #expect(
            parsed.skippedText.map(\.description) == [
                "line 2: a bullet without a name", "line 3: text that belongs to no item",
                "line 4: a bullet without a name",
            ])
        #expect(parsed.errors.map(\.description) == ["line 5: not valid UTF-8"])
    }

    @Test("a byte order mark, CR LF, no end of the last line, and nothing at all are read")
    func ends() throws {
        #expect(
            try items("\u{FEFF}# T\r\n- a\r\n  n\r\n\r\n  m\r\n- b").map(\.note) == ["n\n\nm", ""])
        #expect(try items("").isEmpty)
        let name = String(repeating: "x", count: 1 << 20)
        #expect(try items("- \(name)\n")[0].name == name)
    }

    // MARK: Writing

    @Test("an export of a file has its headings and the places of its first tags again")
    func headings() throws {
        let text = """
            - [ ] #task before

            # Garden

            - [ ] Prune #tree
            - [ ] #task #b Feed `the #birds` #a due:2026-03-06
            - [ ] Mow

            ### To do

            - [X] Paint

            # Garden

            - [ ] Rake

            """
        #expect(try RoundTrip.copy(text, .markdown) == text)
    }

    @Test("an item of the app stays below the heading where it is placed")
    func addedItems() throws {
        var (items, tags) = try RoundTrip.list(
            "## Garden\n- Prune\n- Mow #mower\n## House\n- Paint", .markdown)
        let garden = try #require(tags.first { $0.name == "Garden" })
        items.insert(Fixtures.item(7, "Milk"), at: 1)
        items.insert(Fixtures.item(8, "Rake", tags: [garden.id]), at: 2)
        items.insert(Fixtures.item(9, "Weed", tags: [garden.id]), at: 5)
        items[3].tags.remove(garden.id)
        items.insert(Fixtures.item(6, "First"), at: 0)
        let text = try RoundTrip.text(.markdown, items, tags: tags)
        #expect(
            text == """
                - [ ] First

                ## Garden

                - [ ] Prune
                - [ ] Milk <!-- no tag -->
                - [ ] Rake
                - [ ] Mow #mower <!-- no tag -->

                ## House

                - [ ] Paint
                - [ ] Weed #Garden <!-- no tag -->

                """)
        let read = try RoundTrip.list(text, .markdown)
        for (item, other) in zip(items, read.items) {
            #expect(
                tags.filter { item.tags.contains($0.id) }.map(\.name)
                    == read.tags.filter { other.tags.contains($0.id) }.map(\.name))
        }
        #expect(try RoundTrip.text(.markdown, read.items, tags: read.tags) == text)
    }

    @Test(
        "a heading and the first tags of a line follow a renamed tag",
        arguments: [
            ("Yard", "#Yard Rake"), ("my yard", "Rake #my%20yard"), ("+y", "#+y Rake"),
        ])
    func renamedTags(name: String, line: String) throws {
        var (items, tags) = try RoundTrip.list(
            "# Garden\n- [ ] #task Mow\n# x\n- [ ] #Garden Rake", .markdown)
        let place = try #require(tags.firstIndex { $0.name == "Garden" })
        let former = tags[place]
        tags[place].name = name
        for index in items.indices {
            #expect(items[index].isRewritten(byRenaming: former, to: tags[place]))
            items[index].replace(former, with: tags[place])
        }
        #expect(
            try RoundTrip.text(.markdown, items, tags: tags)
                == "# \(name)\n\n- [ ] #task Mow\n\n# x\n\n- [ ] \(line)\n")
    }
}

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

    @Test("nested items follow the one that they stand under")
    func nested() throws {
        let items = try items("- a\n  - b\n\t\t- [x] c\n    note of b\n  note of a\n- d\n")
        #expect(items.map(\.name) == ["a", "b", "c", "d"])
        #expect(items.map(\.note) == ["note of a", "note of b", "", ""])
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

    // MARK: What is no item

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
            parsed.leftOut.map(\.description) == [
                "line 1: the front matter",
                "line 4: text that belongs to no item, up to line 5",
                "line 7: text that belongs to no item", "line 8: a comment, up to line 10",
                "line 12: a code block, up to line 14", "line 15: text that belongs to no item",
                "line 17: a heading without items",
            ])
        #expect(parsed.bad.isEmpty)
    }

    @Test("a bullet without a name is left out, and a line that is not UTF-8 is bad")
    func bad() throws {
        let bytes = Array("- a\n- [ ]\n  its note\n-\n- b".utf8) + [0xFF] + Array("\n- c\n".utf8)
        let parsed = try ListFormat.markdown.parse(Data(bytes))
        #expect(parsed.list.items.map(\.name) == ["a", "c"])
        #expect(
            parsed.leftOut.map(\.description) == [
                "line 2: a bullet without a name", "line 3: text that belongs to no item",
                "line 4: a bullet without a name",
            ])
        #expect(parsed.bad.map(\.description) == ["line 5: not valid UTF-8"])
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

    @Test("headings group the items without changing their order")
    func headings() throws {
        let tags = [Fixtures.tag(1, "book"), Fixtures.tag(2, "swift")]
        let sets: [Set<Tag.ID>] = [
            [], [tags[0].id], [tags[1].id, tags[0].id], [tags[1].id], [tags[1].id, tags[0].id], [],
            [tags[0].id],
        ]
        var items = sets.enumerated().map {
            Fixtures.item($0.offset, "n\($0.offset)", tags: $0.element)
        }
        items[3].doneAt = Fixtures.now
        items[3].note = "note\n\nmore"
        let text = try RoundTrip.text(.markdown, items, tags: tags)
        #expect(
            text == """
                - [ ] n0

                ## book

                - [ ] n1
                - [ ] n2 #swift

                ## swift

                - [x] n3
                  note

                  more
                - [ ] n4 #book

                ## Untagged <!-- no tag -->

                - [ ] n5

                ## book

                - [ ] n6

                """)
        #expect(try RoundTrip.copy(text, .markdown) == text)
    }
}

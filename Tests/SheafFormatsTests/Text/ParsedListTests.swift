import Foundation
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("Reading around what is bad")
struct ParsedListTests {
    @Test("JSON items of the wrong shape are each named with their line")
    func json() throws {
        let text = """
            [
              {"name": "a"},
              {"name": 7},
              "b",

              {"name": "c", "name": "d"}, {"name": "e", "tags": [""]},
              {"name": "f"}
            ]
            """
        let parsed = try ListFormat.json.parse(Data(text.utf8))
        #expect(parsed.list.items.map(\.name) == ["a", "f"])
        #expect(
            parsed.errors.map(\.description) == [
                "line 3: [1].name: not a string", "line 4: [2]: not an object",
                "line 6: [3].name: appears twice", "line 6: [4].tags[0]: is empty",
            ])
    }

    @Test("JSON whose syntax is broken is not read in part")
    func brokenJSON() {
        #expect(throws: FormatError(line: 1, reason: "unexpected end of the text")) {
            try ListFormat.json.parse(Data(#"[{"name": "a"}, {"name": 7},"#.utf8))
        }
    }

    @Test("bad tags and items of a store are named, and a store of another version is refused")
    func store() throws {
        let text = #"""
            {"format": "sheaf", "version": 1, "tags": [{"name": "t"}, {"name": ""}],
             "items": [{"name": "a"}, {"note": "b"}]}
            """#
        let parsed = try ListFormat.json.parse(Data(text.utf8))
        #expect(parsed.list.tags.map(\.name) == ["t"])
        #expect(parsed.list.items.map(\.name) == ["a"])
        #expect(parsed.errors.compactMap(\.line) == [1, 2])
        #expect(throws: FormatError.self) {
            try ListFormat.json.parse(
                Data(
                    text.replacing(
                        "\"version\": 1", with: "\"version\": \(JSONListReader.version + 1)"
                    ).utf8))
        }
    }

    @Test("all lines that are not UTF-8 are named, and the rest is there")
    func lines() throws {
        let bytes: [UInt8] = [0x61, 0x0A, 0xFF, 0x0A, 0x0A, 0xC3, 0x0A, 0x62]
        let parsed = try ListFormat.lines.parse(Data(bytes))
        #expect(parsed.list.items.map(\.name) == ["a", "b"])
        #expect(parsed.errors.compactMap(\.line) == [2, 4])
    }

    @Test(
        "text that is a word again is percent-encoded as little as it needs to be",
        arguments: [
            ("to read", "to%20read"), ("50%", "50%"), ("%41", "%2541"), ("%4", "%4"),
            ("% 1", "%%201"),
            ("ünï", "ünï"), ("a\tb\nc\u{7F}", "a%09b%0Ac%7F"), ("a:b", "a%3Ab"),
        ])
    func percent(text: String, word: String) {
        #expect(PercentText.encode(text, without: ":") == word)
        #expect(PercentText.decode(word) == text)
        #expect(PercentText.decode("%FF") == "%FF")
    }

    @Test(
        "an item without a name comes back with a blank one",
        arguments: [ListFormat.markdown, .todotxt])
    func nameless(_ format: ListFormat) throws {
        let text = try RoundTrip.text(
            format == .markdown ? .markdown : .todotxt,
            [Fixtures.item(1, "", tags: [Fixtures.tagID(1)])], tags: [Fixtures.tag(1, "@t")])
        let read = try RoundTrip.list(text, format)
        #expect(read.items.map(\.name) == [" "])
        #expect(read.tags.map(\.name) == ["@t"])
    }
}

import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("Reading JSON")
struct JSONReadingTests {
    private func json(_ text: String) throws -> ImportedList {
        try ListFormat.json.read(Data(text.utf8))
    }

    private func error(_ format: ListFormat, _ bytes: some Sequence<UInt8>) -> String? {
        do {
            _ = try format.read(Data(bytes))
            return nil
        } catch {
            return error.description
        }
    }

    @Test("an item needs nothing but its name")
    func minimalItem() throws {
        #expect(try json(#"[{"name": "x"}]"#).items == [ImportedItem(name: "x")])
        #expect(try json("\u{FEFF} []\n").items.isEmpty)
    }

    @Test("every field of an item is read")
    func wholeItem() throws {
        let list = try json(
            """
            [{"id": "A0000000-0000-4000-8000-000000000001", "name": "n", "note": "o", "tags": ["a", "b"],
              "done": true, "doneAt": "2023-11-14T22:13:20.123Z", "createdAt": "2023-11-14T23:13:20+01:00",
              "updatedAt": "2023-11-14", "extras": [["k", "v"], ["k", ""]]}]
            """)
        #expect(
            list.items == [
                ImportedItem(
                    id: Fixtures.itemID(1), name: "n", note: "o", tags: ["a", "b"],
                    done: .yes(at: Fixtures.now),
                    createdAt: Timestamp(milliseconds: 1_700_000_000_000),
                    updatedAt: Timestamp(milliseconds: 1_699_920_000_000),
                    extras: [.init(key: "k", value: "v"), .init(key: "k", value: "")])
            ])
    }

    @Test(
        "done decides where it and doneAt disagree",
        arguments: [
            (#""done": true"#, .yes(at: nil)), (#""done": false"#, .no),
            (#""doneAt": "1970-01-01T00:00:00Z""#, .yes(at: Timestamp(milliseconds: 0))),
            (#""doneAt": null"#, .no), (#""done": false, "doneAt": "1970-01-01T00:00:00Z""#, .no),
            (#""done": true, "doneAt": null"#, .yes(at: nil)), (#""note": """#, nil),
        ] as [(String, ImportedItem.Done?)])
    func done(_ members: String, _ done: ImportedItem.Done?) throws {
        #expect(try json("[{\"name\": \"x\", \(members)}]").items[0].done == done)
    }

    @Test("extras may be an object, and unknown keys that say something become extras, in order")
    func extras() throws {
        let items = try json(
            #"[{"z": 1e400, "name": "x", "extras": {"b": "t", "a": 12.50, "b": null}, "nothing": null, "deep": {"q": [true, "é\n"]}}]"#
        ).items
        #expect(
            items[0].extras?.map { "\($0.key)=\($0.value)" }
                == ["b=t", "a=12.50", "b=null", "z=1e400", #"deep={"q":[true,"é\n"]}"#])
    }

    @Test("escapes are read, surrogate pairs too")
    func escapes() throws {
        let name = #"[{"name": "\"\\\/\b\f\n\r\t\u0000\u00e9\uD83D\uDE00\u202e"}]"#
        #expect(try json(name).items[0].name == "\"\\/\u{8}\u{C}\n\r\t\0é😀\u{202E}")
    }

    @Test("the store form gives tags with colours, and ids")
    func storeForm() throws {
        let list = try json(
            """
            {"items": [{"name": "x", "tags": ["a"]}], "later": [1, {}], "format": "sheaf", "version": 1,
             "tags": [{"id": "b0000000-0000-4000-8000-000000000001", "name": "a", "color": "red"},
                      {"name": "b", "color": "mauve"}, {"name": "c"}]}
            """)
        #expect(
            list.tags == [
                ImportedTag(id: Fixtures.tagID(1), name: "a", color: .red), ImportedTag(name: "b"),
                ImportedTag(name: "c"),
            ])
        #expect(list.items == [ImportedItem(name: "x", tags: ["a"])])
    }

    @Test("members of tags and views without a place in a list are reported")
    func unknownMembers() throws {
        let parsed = try JSONListReader.parse(
            Data(
                """
                {"format": "sheaf", "version": 1, "items": [],
                 "tags": [{"name": "b", "color": "mauve"}, {"name": "c", "icon": "🏠", "x": null}],
                 "views": [{"name": "v", "columns": [1]}]}
                """.utf8))
        #expect(
            parsed.skippedText.map(\.description) == [
                "line 2: tags[0].color: \"mauve\" is not a color",
                "line 2: tags[1].icon: a tag cannot have this member",
                "line 3: views[0].columns: a view cannot have this member",
            ])
    }

    @Test(
        "what is no JSON is an error of its line",
        arguments: [
            ("", "line 1: neither a list of items nor a store: '[' or '{' is missing"),
            ("hello", "line 1: neither a list of items nor a store: '[' or '{' is missing"),
            ("[\n", "line 2: unexpected end of the text"),
            ("[\n{\"name\"\n: \"x\"}\n", "line 4: unexpected end of the text"),
            ("[\n{\"name\": \"x\"}\n{", "line 3: ',' or ']' is missing"),
            ("[{\"name\" \"x\"}]", "line 1: ':' is missing"),
            ("[{\"name\": \"x\" ]", "line 1: ',' or '}' is missing"),
            ("[]\n\n1", "line 3: unexpected text after the end of the list"),
            ("[{}", "line 1: unexpected end of the text"),
            ("[{\"name\": \"x\",\n}]", "line 2: a key in quotes is missing"),
            ("[{name: 1}]", "line 1: a key in quotes is missing"),
            ("[{\"name\":\n\"x}]", "line 2: a string has no closing quote"),
            (
                "[{\"name\":\n\n\"x\ty\"}]",
                "line 3: a control character in a string must be escaped"
            ),
            (
                "[{\"name\":\n\n\"x\ny\"}]", "line 3: a string has no closing quote"
            ),
            (#"[{"name": "\x"}]"#, "line 1: an unknown escape"),
            (#"[{"name": "\u12g4"}]"#, "line 1: an escape needs four hexadecimal digits"),
            (#"[{"name": "\ud800"}]"#, "line 1: half of a surrogate pair"),
            (#"[{"name": "\ud800\u0041"}]"#, "line 1: half of a surrogate pair"),
            (#"[{"name": "\udc00"}]"#, "line 1: half of a surrogate pair"),
            (#"[{"name": 01}]"#, "line 1: ',' or '}' is missing"),
            (#"[{"name": -}]"#, "line 1: not a number"),
            (#"[{"name": 1.}]"#, "line 1: not a number"),
            (#"[{"name": tru}]"#, "line 1: a value is missing"),
            (#"[{"name": NaN}]"#, "line 1: a value is missing"),
            ("[,]", "line 1: a value is missing"),
            (String(repeating: "[", count: 100_000), "line 1: nested too deeply"),
        ])
    func syntax(_ text: String, _ message: String) throws {
        let description = try #require(error(.json, text.utf8))
        #expect(description == message)
    }

    @Test("JSON that is not UTF-8 is an error of its line")
    func invalidUTF8() {
        #expect(
            error(.json, Array("[\n{\"name\": \"".utf8) + [0xFF] + Array("\"}]".utf8))
                == "line 2: not valid UTF-8")
        #expect(
            error(.json, Array("[{\"name\": \"\\n".utf8) + [0xC3] + Array("\"}]".utf8))
                == "line 1: not valid UTF-8")
    }

    @Test(
        "a field of the wrong kind is named by its item, and by its line",
        arguments: [
            (#"1"#, "[1]: not an object"), (#"{}"#, "[1].name: is missing"),
            (#"{"name": null}"#, "[1].name: is missing"),
            (#"{"name": 3}"#, "[1].name: not a string"), (#"{"name": ""}"#, "[1].name: is empty"),
            (#"{"name": "x", "id": "12"}"#, "[1].id: not a UUID"),
            (#"{"name": "x", "note": []}"#, "[1].note: not a string"),
            (#"{"name": "x", "tags": "a"}"#, "[1].tags: not an array of names"),
            (#"{"name": "x", "tags": ["a", 1]}"#, "[1].tags[1]: not a string"),
            (#"{"name": "x", "tags": [" "]}"#, "[1].tags[0]: is empty"),
            (#"{"name": "x", "done": "yes"}"#, "[1].done: neither true nor false"),
            (
                #"{"name": "x", "doneAt": "yesterday"}"#,
                "[1].doneAt: not a time such as 2024-05-31T08:30:00.000Z"
            ),
            (#"{"name": "x", "createdAt": 12}"#, "[1].createdAt: not a string"),
            (
                #"{"name": "x", "updatedAt": "2023-02-29"}"#,
                "[1].updatedAt: not a time such as 2024-05-31T08:30:00.000Z"
            ),
            (#"{"name": "x", "extras": 1}"#, "[1].extras: not an array of pairs"),
            (#"{"name": "x", "extras": [["a"]]}"#, "[1].extras[0]: not a pair of key and value"),
            (#"{"name": "x", "extras": [[1, "a"]]}"#, "[1].extras[0]: not a pair of key and value"),
            (#"{"name": "x", "name": "y"}"#, "[1].name: appears twice"),
            (#"{"name": "x", "\u001b[2J": 1, "\u001b[2J": 2}"#, #"[1]."\u001b[2J": appears twice"#),
            (
                #"{"name": "x", "id": "a0000000-0000-4000-8000-000000000001"}"#,
                "[1].id: another item has this id"
            ),
        ])
    func fields(_ item: String, _ message: String) {
        let first = #"{"name": "first", "id": "A0000000-0000-4000-8000-000000000001"}"#
        #expect(error(.json, "[\(first),\n \(item)]".utf8) == "line 2: " + message)
        #expect(
            error(
                .json,
                "{\"format\": \"sheaf\", \"version\": 1, \"items\": [\(first),\n \(item)]}".utf8)
                == "line 2: items" + message)
    }

    @Test(
        "what is no store of this version is refused",
        arguments: [
            (#"{}"#, "the store has no 'format'"),
            (#"{"format": "sheaf", "version": 1}"#, "the store has no 'items'"),
            (#"{"format": "sheaf", "items": []}"#, "the store has no 'version'"),
            (#"{"format": "other", "version": 1, "items": []}"#, "format: not a Sheaf list"),
            (
                #"{"format": "sheaf", "version": \#(JSONListReader.version + 1), "items": []}"#,
                "version: a newer version of the program wrote this"
            ),
            (#"{"format": "sheaf", "version": "1", "items": []}"#, "version: not a version"),
            (
                #"{"format": "sheaf", "version": 99999999999999999999, "items": []}"#,
                "version: not a version"
            ),
            (#"{"format": "sheaf", "version": 1, "items": {}}"#, "items: not an array"),
            (
                #"{"format": "sheaf", "version": 1, "items": [], "items": []}"#,
                "items: appears twice"
            ),
            (#"{"format": "sheaf", "version": 1, "tags": 1, "items": []}"#, "tags: not an array"),
            (
                #"{"format": "sheaf", "version": 1, "tags": [{"name": " "}], "items": []}"#,
                "tags[0].name: is empty"
            ),
        ])
    func stores(_ text: String, _ message: String) {
        #expect(error(.json, text.utf8) == "line 1: \(message)")
    }

    @Test("cutting or spoiling a text anywhere never crashes")
    func fuzz() {
        let text = Array(
            """
            {"format": "sheaf", "version": 1, "tags": [{"id": "b0000000-0000-4000-8000-000000000001", "name": "a"}],
             "items": [{"name": "é\\ud83d\\ude00", "done": true, "doneAt": "2023-11-14T22:13:20.123Z", "extras": [["a", -1.5e3]]}]}
            """.utf8)
        for end in 0..<text.count { #expect(error(.json, text[..<end]) != nil) }
        var generator = SplitMix64(seed: 7)
        for _ in 0..<5_000 {
            var spoiled = text
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                spoiled[Int.random(in: 0..<text.count, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            _ = error(.json, spoiled)
            _ = error(.lines, spoiled)
        }
    }
}

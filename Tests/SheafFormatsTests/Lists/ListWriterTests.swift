import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("Writing lists")
struct FormatWritingTests {
    private func write(
        _ form: ListWriter.Form, _ items: [Item], tags: [Tag] = [], pageSize: Int = 3
    ) throws -> String {
        var bytes: [UInt8] = []
        var writer = ListWriter(form, tags: tags) { bytes += $0 }
        for start in stride(from: 0, to: items.count, by: pageSize) {
            try writer.write(items[start..<min(start + pageSize, items.count)])
        }
        try writer.finish()
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    private func sample() -> (items: [Item], tags: [Tag]) {
        let tags = [Fixtures.tag(2, "b\u{1B}", color: .red), Fixtures.tag(1, "a")]
        var item = Fixtures.item(1, "é \"q\" \u{9B}", tags: Set(tags.map(\.id)))
        item.note = "n\n"
        item.doneAt = Fixtures.now
        item.extras = [.init(key: "k", value: "v"), .init(key: "k", value: "\\")]
        return ([item, Fixtures.item(2, "plain")], tags)
    }

    @Test("a first name that begins with a byte order mark keeps it")
    func markAtStart() throws {
        let items = ["\u{FEFF}a", "\u{FEFF}b"].enumerated().map { Fixtures.item($0, $1) }
        let text = try write(.lines, items)
        let read = try RoundTrip.list(text, .lines).items.map(\.name)
        #expect(read.map { Array($0.utf8) } == items.map { Array($0.name.utf8) })
    }

    @Test("the list form is an array with an item a line")
    func listForm() throws {
        let (items, tags) = sample()
        #expect(
            try write(.jsonList, items, tags: tags) == #"""
                [
                  {"createdAt": "2023-11-14T22:13:20.123Z", "done": true, "doneAt": "2023-11-14T22:13:20.123Z", "extras": [["k", "v"], ["k", "\\"]], "id": "a0000000-0000-4000-8000-000000000001", "name": "é \"q\" \u009b", "note": "n\n", "tags": ["b\u001b", "a"], "updatedAt": "2023-11-14T22:13:20.123Z"},
                  {"createdAt": "2023-11-14T22:13:20.123Z", "done": false, "id": "a0000000-0000-4000-8000-000000000002", "name": "plain", "tags": [], "updatedAt": "2023-11-14T22:13:20.123Z"}
                ]

                """#)
        #expect(try write(.jsonList, []) == "[]\n")
    }

    @Test("an empty field is written if a reader would take an extra for it")
    func formerExtras() throws {
        for former in FormerExtra.all {
            var item = Fixtures.item(1, "x")
            let field = try #require(Item.fields.first { $0.name == former.field })
            let spelled = TodoTask.pairs(of: Fixtures.fullItem).first { $0.key == former.key }
            let key = former.key
            item.extras = [.init(key: key, value: try #require(spelled).value)]
            let text = try write(.jsonList, [item])
            let empty = field.spelling == nil ? "\"\"" : "null"
            #expect(text.contains("\"\(field.name)\": \(empty)"), "\(key)")
            #expect(!text.contains("note"))
            #expect(try RoundTrip.list(text, .json).items[0].extras == item.extras, "\(key)")
        }
    }

    @Test("the store form has the tags around the items")
    func storeForm() throws {
        let tags = sample().tags
        #expect(
            try write(.jsonStore, [], tags: tags) == #"""
                {
                  "format": "sheaf",
                  "version": \#(JSONListReader.version),
                  "tags": [
                    {"color": "red", "id": "b0000000-0000-4000-8000-000000000002", "name": "b\u001b"},
                    {"color": "blue", "id": "b0000000-0000-4000-8000-000000000001", "name": "a"}
                  ],
                  "items": []
                }

                """#)
        let text = try write(.jsonStore, [Fixtures.item(1, "x")])
        #expect(
            text.hasPrefix(
                "{\n  \"format\": \"sheaf\",\n  \"version\": \(JSONListReader.version),\n  \"tags\": [],\n"
                    + "  \"items\": [\n    {\"createdAt\""
            ))
        #expect(text.hasSuffix("\"}\n  ]\n}\n"))
    }

    @Test("lines hold one name each, and a line break in a name becomes a space")
    func lines() throws {
        let names = ["a", "two\nlines", "cr\r\nlf", " kept ", "nul\0"]
        let items = names.enumerated().map { Fixtures.item($0.offset, $0.element) }
        #expect(try write(.lines, items) == "a\ntwo lines\ncr  lf\n kept \nnul\0\n")
        #expect(try write(.lines, []) == "")
    }

    @Test("JSON holds nothing that a terminal could obey or be misled by")
    func harmless() throws {
        let all = (0..<0x2100).compactMap(Unicode.Scalar.init).map(String.init).joined()
        let text = try write(.jsonList, [Fixtures.item(1, all)])
        for scalar in text.unicodeScalars where scalar != "\n" {
            let isControl = scalar.properties.generalCategory == .control
            let isBidi = scalar.properties.isBidiControl
            #expect(!isControl && !isBidi, "U+\(String(scalar.value, radix: 16))")
        }
        #expect(try ListFormat.json.read(Data(text.utf8)).items[0].name == all)
        #expect(text.contains("é") && text.contains("я"))
    }

    @Test(
        "what was written is read back as it was",
        arguments: [ListWriter.Form.jsonList, .jsonStore])
    func roundTrip(_ form: ListWriter.Form) throws {
        var generator = SplitMix64(seed: 11)
        let tags = (0..<5).map {
            Fixtures.tag(
                $0, "tag \($0)\u{7F}\u{202E}", color: .allCases.randomElement(using: &generator)!)
        }
        let items = (0..<300).map { RandomText.item($0, tags: tags, using: &generator) }
        let list = try ListFormat.json.read(
            Data(try write(form, items, tags: tags, pageSize: 17).utf8))
        let names = Dictionary(uniqueKeysWithValues: tags.map { ($0.id, $0.name) })
        for (item, read) in zip(items, list.items) {
            #expect(read.id == item.id)
            #expect(Array(read.name.utf8) == Array(item.name.utf8))
            // The list form omits empty members.
            #expect(Array((read.note ?? "").utf8) == Array(item.note.utf8))
            #expect(read.tags.map(Set.init) == Set(item.tags.compactMap { names[$0] }))
            #expect(read.done == (item.doneAt.map { .yes(at: $0) } ?? .no))
            #expect(read.createdAt == item.createdAt)
            #expect(read.updatedAt == item.updatedAt)
            #expect(read.extras ?? [] == item.extras)
        }
        #expect(list.items.count == items.count)
        if form == .jsonStore {
            #expect(
                list.tags == tags.map { ImportedTag(id: $0.id, name: $0.name, color: $0.color) })
        }
    }

    @Test("lines that were written are read back")
    func linesRoundTrip() throws {
        var generator = SplitMix64(seed: 12)
        let names = (0..<500).map { _ in RandomText.text(using: &generator) }
            .filter {
                !$0.utf8.contains(0x0A) && !$0.utf8.contains(0x0D) && !$0.allSatisfy(\.isWhitespace)
            }
        let text = try write(
            .lines, names.enumerated().map { Fixtures.item($0.offset, $0.element) })
        let read = try ListFormat.lines.read(Data(text.utf8)).items
        #expect(read.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    }

    @Test("the text comes in pieces, and what the output throws is thrown")
    func pieces() throws {
        struct Closed: Error {}
        var sizes: [Int] = []
        let items = Fixtures.items(3_000)
        var writer = ListWriter(.jsonList, tags: []) { sizes.append($0.count) }
        try writer.write(items)
        try writer.finish()
        #expect(sizes.count > 5)
        #expect(try #require(sizes.max()) < 70_000)
        var broken = ListWriter(.lines, tags: []) { _ in throw Closed() }
        try broken.write(items.prefix(1))
        #expect(throws: Closed.self) { try broken.finish() }
    }

    // MARK: Times

    @Test(
        "times are written and read to the millisecond",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
            (.max, "+292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func times(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test("random times survive")
    func randomTimes() {
        var generator = SplitMix64(seed: 13)
        for shift in 0..<64 {
            for _ in 0..<50 {
                let time = Timestamp(
                    milliseconds: .random(in: .min ... .max, using: &generator) >> shift)
                #expect(Timestamp(iso8601: time.iso8601) == time)
            }
        }
    }

    @Test(
        "the other spellings of a time are read",
        arguments: [
            "2001-02-03T04:05:06Z", "2001-02-03t04:05:06.000z", "2001-02-03 04:05:06,0Z",
            "2001-02-03T06:05:06+02:00",
            "2001-02-02T23:35:06-0430", "2001-02-03T04:05:06.0009999Z",
        ])
    func spellings(_ text: String) {
        #expect(Timestamp(iso8601: text)?.milliseconds == 981_173_106_000)
    }

    @Test(
        "what is no time is none",
        arguments: [
            "", "2001", "2001-02", "2001-13-01", "2001-00-01", "2001-02-29", "1900-02-29",
            "2001-04-31", "2001-2-3",
            "2001-02-03T", "2001-02-03T04:05:06", "2001-02-03T24:00:00Z", "2001-02-03T04:60:00Z",
            "2001-02-03T04:05:60Z",
            "2001-02-03T04:05:06.Z", "2001-02-03T04:05:06Zx", " 2001-02-03", "+2001-02-03",
            "+292278994-08-17T07:12:55.808Z",
            "-292275055-05-16T16:47:04.191Z", "٢٠٠١-02-03", "2001-02-03T04:05:06+2:00",
        ])
    func noTimes(_ text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }
}

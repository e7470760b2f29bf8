import Testing

@testable import SheafList

@Suite("Texts of items") struct ItemTextsTests {
    /// The longest that has its length in two bytes, and one more.
    private static let lengths = [0, 1, 15, 16, 300, 65_535, 65_536]

    @Test("name and note come back byte for byte, however long and in whichever order they are set")
    func bothTexts() {
        for nameLength in Self.lengths {
            for noteLength in Self.lengths {
                let name = String(repeating: "n", count: nameLength)
                let note = String(repeating: "o", count: noteLength)
                var texts = ItemTexts()
                texts.note = note
                texts.name = name
                var others = ItemTexts(name: "another", note: "one")
                others.name = name
                others.note = note
                #expect(texts.name == name && texts.note == note)
                #expect(texts == others && texts.hashValue == others.hashValue)
                #expect(texts == ItemTexts(name: name, note: note))
                #expect((texts.noteCount > 0) == !note.isEmpty)
                texts.withUTF8 {
                    #expect($0.elementsEqual(name.utf8) && $1.elementsEqual(note.utf8))
                }
            }
        }
    }

    @Test("every byte counts: what only Swift's strings take for equal is another text")
    func bytes() {
        #expect(ItemTexts(name: "e\u{301}", note: "") != ItemTexts(name: "\u{e9}", note: ""))
        #expect(ItemTexts(name: "ab", note: "") != ItemTexts(name: "a", note: "b"))
        #expect(ItemTexts(name: "a\0b", note: "\0").name == "a\0b")
    }

    @Test("a copy keeps its texts when the other one is changed")
    func copies() {
        let one = ItemTexts(name: "name", note: "note")
        var other = one
        other.name = "other"
        #expect(one.name == "name" && other.name == "other" && other.note == "note")
    }
}

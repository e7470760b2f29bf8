import FoundationEssentials
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

@Suite("Pasted texts")
struct PastedTextTests {
    private func read(_ text: String) -> [PastedItem]? { PastedText.items(text, now: Fixtures.now) }

    /// Each item as its state, its name and its tags.
    private func words(_ text: String) -> [String]? {
        read(text)?.map { pasted in
            ([pasted.item.isDone ? "x" : "o", pasted.item.name] + pasted.tags).joined(
                separator: "|")
        }
    }

    @Test(
        "lines without a form are names",
        arguments: [
            "Milk", "Milk #shop @home due:fri", "one\ntwo", "-5 degrees", "1. Milk", "# Heading",
            "(a) x", "(A)x", "x milk", "xx 2026-11-01 a", "2026-13-01 a", "* * *\n---", "- [ ]",
            "-",
            "  indented", "[ ] a", "> - a", "x 2026-11-01", "\u{feff}a", "C++ - a",
        ])
    func names(_ text: String) {
        let items = read(text)
        #expect(items == nil || items?.map(\.item.name) == text.lines.map(String.init))
        #expect(items?.allSatisfy { $0.tags.isEmpty && !$0.item.isDone } ?? true)
    }

    @Test(
        "a bullet, a box and a task are read, beside names",
        arguments: [
            ("- Milk", ["o|Milk"]),
            ("* [x] Milk #shop\r\nplain #x\r\n", ["x|Milk|shop", "o|plain #x"]),
            ("1. [ ] a", ["o|a"]), ("\t- [ ] a\n  - [X] b", ["o|a", "x|b"]),
            ("(A) Call @home +Roof", ["o|Call|@home|+Roof"]),
            ("x 2026-11-02 2026-11-01 a", ["x|a"]),
            ("2026-11-01 a", ["o|a"]), ("- [ ]\n- [ ] a", ["o|- [ ]", "o|a"]),
        ])
    func forms(text: String, items: [String]) {
        // Which words of a task stay in its name is the reader's matter.
        #expect(words(text)?.count == items.count)
        for (found, expected) in zip(words(text) ?? [], items) {
            #expect(found.first == expected.first)
            #expect(
                found == expected
                    || expected.split(separator: "|").dropFirst().allSatisfy(found.contains))
        }
    }

    @Test("indented lines below a bullet are its note")
    func note() {
        let items = read("- [ ] a\n  one\n\n  two\nb")
        #expect(items?.map(\.item.name) == ["a", "b"])
        #expect(items?.first?.item.note == "one\n\ntwo")
    }

    @Test("a copy, pasted, is the same items")
    func ownCopy() throws {
        let tags = Fixtures.tags(["book", "+Roof", "to read"])
        var items = Fixtures.items(["Milk", "host on #book x", "- [ ] odd", "C# \\#x (A)"])
        items[0].tags = [tags[0].id, tags[2].id]
        items[0].due = CalendarDay("2026-12-01")
        items[0].repeat = Repeat("+1w")
        items[0].priority = .b
        items[1].tags = [tags[0].id]
        items[1].doneAt = Fixtures.now
        items[2].note = "one\n\n  two"
        items[2].scheduled = CalendarDay("2026-12-02")
        for copied in [items] + items.prefix(3).map({ [$0] }) {
            let pasted = try #require(read(copied.checklist(tags: tags)))
            for (item, pasted) in zip(copied, pasted) {
                #expect(pasted.item.name == item.name)
                #expect(pasted.item.note == item.note)
                #expect(pasted.item.isDone == item.isDone)
                #expect(pasted.item.fieldWords == item.fieldWords)
                let names = tags.filter { item.tags.contains($0.id) }.map(\.name)
                #expect(Set(pasted.tags) == Set(names))
            }
            #expect(pasted.count == copied.count)
        }
        #expect([items[3]].checklist(tags: tags) == items[3].name)
        #expect(![items[0]].checklist(tags: tags).contains("\n"))
    }

    @Test("any text is read, and each line of it is there")
    func hostile() {
        for text in HostileText.all + ["- [x] \u{0}", "(A) \u{0}a", "- \u{1b}[31m"] {
            let all = read("- a\n\(text)\nx 2026-11-01 \(text)")
            #expect((all?.count ?? 0) >= 1)
        }
    }

    @Test("many lines are read in linear time")
    func many() {
        let text = String(repeating: "- [ ] a #b\nplain\n", count: 5_000)
        #expect(read(text)?.count == 10_000)
    }
}

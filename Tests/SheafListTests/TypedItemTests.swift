import SheafTestSupport
import Testing

@testable import SheafList

/// Which words of a new item's line are tags.
@Suite("A typed item")
struct TypedItemTests {
    private let tags = EntityStore(
        Fixtures.tags(["book", "+Roof", "@home", "work", "+red", "@red", "12", "to read"]))

    /// A Sunday.
    private static let today = CalendarDay("2026-11-22") ?? .first

    private func typed(_ text: String) -> TypedItem {
        TypedItem(text, tags: tags, today: Self.today)
    }

    /// The tags of a line, a new one with an exclamation mark.
    private func labels(_ text: String) -> [String] {
        typed(text).words.map { word in
            switch word.label {
            case .tag(let tag): tag.name
            case .new(let name): "\(name)!"
            case .setting(let setting): setting.message(today: Self.today)
            }
        }
    }

    @Test(
        "whole words with a sigil are tags",
        arguments: [
            ("Fix the gutter +roof", ["+Roof"], "Fix the gutter"),
            ("#BOOK Read it", ["book"], "Read it"),
            ("Call @home today", ["@home"], "Call today"),
            ("Read #book #new now", ["book", "new!"], "Read now"),
            ("Write @work", ["work"], "Write"),
            ("Tile #roof", ["+Roof"], "Tile"),
            ("Paint #red", ["red!"], "Paint"),
            ("a #b\u{a0}c\u{2003}#d ", ["b!", "d!"], "a\u{a0}c"),
            ("  #b  a  c", ["b!"], "a  c"),
            ("日本語 #読書", ["読書!"], "日本語"),
            ("a #❤", ["❤!"], "a"), ("a #node.js #c++", ["node.js!", "c++!"], "a"),
        ])
    func words(text: String, tags: [String], name: String) {
        #expect(labels(text) == tags)
        #expect(typed(text).name == name)
    }

    @Test(
        "numbers, parts of words, unknown projects and lone sigils are text",
        arguments: [
            "Fix #12", "See #12, #1.2 and #(3)", "C# and F#", "a#book b+roof me@home.org",
            "call +moon or @anna", "a # b + c @", "## Heading ##book", "plain",
            "run #!/bin/sh", "at #home, or #book.", "a #(new)", "", "  ",
        ])
    func text(_ text: String) {
        #expect(labels(text).isEmpty)
        #expect(typed(text).name == text)
    }

    @Test(
        "a backslash keeps a word as text, and goes; elsewhere it stays",
        arguments: [
            ("Read \\#book", "Read #book"), ("\\+roof x", "+roof x"), ("a \\@home", "a @home"),
            ("a \\#12", "a \\#12"), ("a \\+moon", "a \\+moon"), ("a \\\\#book", "a \\\\#book"),
            ("C:\\#book", "C:\\#book"), ("a\\b \\n", "a\\b \\n"), ("\\#book", "#book"),
        ])
    func backslash(text: String, name: String) {
        #expect(labels(text).isEmpty)
        #expect(typed(text).name == name)
    }

    @Test("a name of nothing but tags stays text", arguments: ["#book", " #book +roof ", "#new"])
    func onlyTags(_ text: String) {
        #expect(labels(text).isEmpty)
        #expect(typed(text).name == text)
        #expect(labels(text + " \\#new") != [])
    }

    @Test(
        "days, a repeat and a priority at the beginning are fields",
        arguments: [
            ("Pay rent due:fri", ["Due Fri 27 Nov"], "Pay rent"),
            ("(A) Pay t:3d rent", ["Priority A", "Scheduled for Wed 25 Nov"], "Pay rent"),
            (
                "(B) Water due:2026-12-01 rec:+2w #book",
                ["Priority B", "Due Tue 1 Dec", "Repeats every 2 weeks", "book"], "Water"
            ),
            ("due:today x", ["Due Sun 22 Nov"], "x"),
            ("a due:fri due:sat", ["Due Fri 27 Nov"], "a due:sat"),
            ("a due:x due:sat", ["Due Sat 28 Nov"], "a due:x"),
        ])
    func fields(text: String, fields: [String], name: String) {
        #expect(labels(text) == fields)
        #expect(typed(text).name == name)
    }

    @Test(
        "what is no field of a todo.txt, or none that can be understood, is text",
        arguments: [
            "due:", "a due:someday", "a due:none", "a t:", "a at:3d", "a T:3d", "a pri:A",
            "10:30 a",
            "a due :fri", "(a) b", "(A)b", "A (B) c", "a (A)", "(AB) c", "a rec:0d", "a rec:never",
            "::::", "a due:99999999999999999999d", "http://t:3d", "(A)", "due:fri", "(A) due:fri",
        ])
    func noFields(_ text: String) {
        #expect(labels(text).isEmpty)
        #expect(typed(text).name == text)
    }

    @Test(
        "a backslash keeps a field as text",
        arguments: [
            ("a \\due:fri", "a due:fri"), ("\\(A) b", "(A) b"), ("a \\t:3d due:x", "a t:3d due:x"),
        ])
    func escapedFields(text: String, name: String) {
        #expect(labels(text).isEmpty)
        #expect(typed(text).name == name)
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
            return TypedItem(line.text, pasted: line.pasted, tags: tags, today: Self.today).words
                .map(\.place)
        }
        #expect(words(.insert("a "), .paste("#book"), .insert(" #book")) == [8..<13])
        #expect(words(.insert("a #"), .paste("book")) == [])
        #expect(words(.paste("a "), .insert("#book")) == [2..<7])
        #expect(words(.insert("a #book "), .paste("x"), .backwardDeleteChar) == [2..<7])
        // What is put back by ^Y is what it was.
        #expect(words(.insert("a #book"), .unixWordRubout, .yank) == [2..<7])
        #expect(words(.insert("a "), .paste("#book"), .unixWordRubout, .yank) == [])
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

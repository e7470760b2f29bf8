import Testing

@testable import SheafList

@Suite("Line editor")
struct LineEditorTests {
    private func edited(_ text: String, _ edits: LineEditor.Edit...) -> LineEditor {
        var line = LineEditor(text)
        for edit in edits { line.apply(edit) }
        return line
    }

    @Test("typing goes where the caret stands")
    func insert() {
        let line = edited("bc", .beginningOfLine, .insert("a"))
        #expect(line.text == "abc")
        #expect(line.beforeCaret == "a")
    }

    @Test("a letter and its combining marks are one for the caret and for Backspace")
    func graphemes() {
        let decomposed = "cafe\u{301}"
        #expect(edited(decomposed, .backwardChar).beforeCaret == "caf")
        #expect(edited(decomposed, .backwardDeleteChar).text == "caf")
        #expect(edited("👩‍👩‍👧‍👦", .backwardDeleteChar).text.isEmpty)
    }

    @Test("an accent that arrives after its letter joins it, and the caret stays behind both")
    func combining() {
        let line = edited("", .insert("e"), .insert("\u{301}"), .insert("x"))
        #expect(line.text.unicodeScalars.elementsEqual("e\u{301}x".unicodeScalars))
        #expect(line.text.count == 2)
    }

    @Test("an emoji that arrives in pieces joins as they come")
    func joiner() {
        let family = "👩‍👩‍👧‍👦"
        var line = LineEditor()
        for scalar in family.unicodeScalars { line.apply(.insert(String(scalar))) }
        #expect(line.text == family)
        #expect(line.beforeCaret == family[...])
    }

    @Test("a base inserted before a stray mark takes it, and the caret goes behind the whole")
    func markBehindCaret() {
        let line = edited("\u{301}", .beginningOfLine, .insert("e"))
        #expect(line.text == "e\u{301}")
        #expect(line.afterCaret.isEmpty)
    }

    @Test("every byte of a name survives editing around it")
    func bytes() {
        let name = "日本語 👩‍👩‍👧‍👦 cafe\u{301}"
        let line = edited(name, .beginningOfLine, .insert("x"), .backwardDeleteChar)
        #expect(Array(line.text.utf8) == Array(name.utf8))
    }

    @Test("Alt-b and Alt-f go by words, ^W by white space")
    func words() {
        #expect(edited("one two-three", .backwardWord).beforeCaret == "one two-")
        #expect(edited("one two-three", .beginningOfLine, .forwardWord).beforeCaret == "one")
        #expect(edited("one two-three", .unixWordRubout).text == "one ")
        #expect(edited("one two-three", .backwardKillWord).text == "one two-")
        #expect(edited("one two", .beginningOfLine, .killWord).text == " two")
    }

    @Test("^U and ^K cut to the ends, ^Y brings back the last cut")
    func kill() {
        #expect(edited("one two", .backwardWord, .unixLineDiscard).text == "two")
        #expect(edited("one two", .backwardWord, .killLine).text == "one ")
        #expect(edited("one two", .unixLineDiscard, .yank).text == "one two")
    }

    @Test("a paste is one line: each line break becomes a space")
    func paste() {
        #expect(edited("", .insert("a\nb\r\nc")).text == "a b c")
    }

    @Test("a mark inserted in the middle joins what is before it, a joiner what is after it")
    func joinInside() {
        let marked = edited("ab", .backwardChar, .insert("\u{301}"), .insert("x"))
        #expect(marked.text.unicodeScalars.elementsEqual("a\u{301}xb".unicodeScalars))
        #expect(marked.afterCaret == "b")
        let joined = edited("👩👦", .backwardChar, .insert("\u{200d}"))
        #expect(joined.text.count == 1)
        #expect(joined.afterCaret.isEmpty)
        let flags = edited("🇩🇪🇫🇷", .beginningOfLine, .insert("🇦"))
        #expect(flags.beforeCaret == "🇦🇩")
    }

    @Test("edits at the ends of the line change nothing and say so")
    func ends() {
        var line = LineEditor("a")
        let atEnd = line.apply(.deleteChar)
        #expect(!atEnd)
        line.apply(.beginningOfLine)
        let atStart = line.apply(.backwardDeleteChar)
        #expect(!atStart)
        #expect(line.text == "a")
        for edit in [LineEditor.Edit.backwardChar, .backwardWord, .forwardChar, .forwardChar] {
            line.apply(edit)
        }
        #expect(line.beforeCaret == "a")
    }
}

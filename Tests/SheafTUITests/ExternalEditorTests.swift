import Testing

@testable import SheafTUI

@Suite("The user's own editor")
struct ExternalEditorTests {
    @Test(
        "a last line break that the editor added is taken off, and nothing else",
        arguments: [
            ("note", "note\n", "note"), ("note\n", "note\n", "note\n"), ("note", "note", "note"),
            ("note", "edited\n\n", "edited\n"), ("", "\n", ""),
            ("one\r\ntwo", "one\r\ntwo\r\n", "one\r\ntwo"),
            ("one\r\n", "one\r\n", "one\r\n"), ("one\r\n", "one\r\ntwo\n", "one\r\ntwo\n"),
            ("note\r", "note\r\n", "note\r"),
        ])
    @MainActor
    func lastBreak(text: String, edited: String, expected: String) {
        let result = ExternalEditor.withoutAddedBreak(edited, of: text)
        #expect(Array(result.utf8) == Array(expected.utf8))
    }

    @Test(
        "a note goes to the editor with a line break at its end, and comes back without it",
        arguments: [
            ("", ""), ("note", "note\n"), ("note\n", "note\n"), ("a\nb", "a\nb\n"),
            ("a\r\nb", "a\r\nb\r\n"), ("note\r", "note\r\n"), ("a\r\nb\r", "a\r\nb\r\n"),
        ])
    @MainActor
    func addedBreak(text: String, sent: String) {
        #expect(Array(ExternalEditor.withBreak(text).utf8) == Array(sent.utf8))
        let back = ExternalEditor.withoutAddedBreak(ExternalEditor.withBreak(text), of: text)
        #expect(Array(back.utf8) == Array(text.utf8))
    }
}

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
}

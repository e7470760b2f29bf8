import Testing

@testable import Terminal

@MainActor
@Suite("Text for the clipboard")
struct ClipboardTests {
    @Test("a text is sent in base64, so that none of its bytes means anything to the terminal")
    func encoded() {
        let sequence = Clipboard.sequence(for: "a\u{7}\u{1b}\\é\n")
        #expect(sequence == Array("\u{1b}]52;c;YQcbXMOpCg==\u{7}".utf8))
        #expect(Clipboard.sequence(for: "") == Array("\u{1b}]52;c;\u{7}".utf8))
    }

    @Test("the longest text fills what terminals take, and a longer one is refused whole")
    func longest() {
        let text = String(repeating: "x", count: Clipboard.maxBytes)
        #expect(Clipboard.sequence(for: text)?.count == 100_000)
        #expect(Clipboard.sequence(for: text + "x") == nil)
        // Bytes count, not characters.
        #expect(Clipboard.sequence(for: String(repeating: "é", count: 37_498)) == nil)
    }

    @Test("a screen keeps what was copied, unless it takes none or the text is too long")
    func headless() {
        let screen = HeadlessScreen(size: Size(columns: 80, rows: 24))
        #expect(screen.copy("one") == .sent)
        #expect(
            screen.copy(String(repeating: "x", count: Clipboard.maxBytes + 1)) == .tooLong)
        screen.hasClipboard = false
        #expect(screen.copy("two") == .unsupported)
        #expect(screen.copied == ["one"])
    }
}

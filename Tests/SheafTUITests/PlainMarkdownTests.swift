import Terminal
import Testing

@testable import SheafTUI

/// Notes as the inspector shows them: marks become styles, and other text stays.
@Suite("Plain Markdown")
struct PlainMarkdownTests {
    private func shown(_ text: String) -> [String] {
        var markdown = PlainMarkdown()
        return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
            markdown.line($0).map { $0.pieces.map(\.text).joined() }
        }
    }

    @Test(
        "a line is shown without what only marks it",
        arguments: [
            ("# A title", "A title"), ("###### six", "six"), ("####### seven", "####### seven"),
            ("#tag", "#tag"), ("- one", "• one"), ("* one", "• one"), ("+ one", "• one"),
            ("  - deep", "  • deep"), ("- [ ] open", "○ open"), ("- [x] done", "✓ done"),
            ("12. twelfth", "12. twelfth"), ("> quoted", "│ quoted"), ("---", "───"), ("", ""),
            ("plain", "plain"), ("-1 degree", "-1 degree"), ("2026. A year", "2026. A year"),
        ])
    func lines(text: String, wanted: String) {
        #expect(shown(text) == [wanted])
    }

    @Test(
        "within a line marks go, and signs that are none stay",
        arguments: [
            ("**bold** and *slanted*", "bold and slanted"), ("__bold__ _slanted_", "bold slanted"),
            ("`code *here*`", "code *here*"), ("snake_case_name", "snake_case_name"),
            ("2 * 3 * 4", "2 * 3 * 4"), ("a*b", "a*b"), ("**", "**"), ("*", "*"),
            ("**open", "**open"), ("[site](https://x.org)", "site (https://x.org)"),
            ("[no link] (here)", "[no link] (here)"), ("[a [b](c)", "[a b (c)"),
            ("[never](ends", "[never](ends"), (#"\*no mark\*"#, "*no mark*"), (#"a\b"#, #"a\b"#),
            ("`open", "`open"), ("***", "***"),
        ])
    func inline(text: String, wanted: String) {
        #expect(PlainMarkdown.inline(text[...]).map(\.text).joined() == wanted)
    }

    @Test(
        "a name is shown with links as their texts",
        arguments: [
            ("see [site](https://x.org) +a", "see site +a"), ("[a](b.c) [d](/e)", "a d"),
            ("[no] (x.y)", "[no] (x.y)"), ("f[1](x)", "f[1](x)"), ("[](x.y)", "[](x.y)"),
            ("[a](b c.d)", "[a](b c.d)"), ("[open](x.y", "[open](x.y"), ("[[a](b.c)", "[a"),
        ])
    func names(name: String, wanted: String) {
        let hidden = PlainMarkdown.hiddenRanges(in: name)
        let shown = Array(name).enumerated().filter { index, _ in
            !hidden.contains { $0.contains(index) }
        }
        #expect(String(shown.map(\.element)) == wanted)
        #expect(PlainMarkdown.hiddenRanges(in: String(repeating: "[", count: 100_000)).isEmpty)
    }

    @Test("headings and emphasis are bold")
    func styles() {
        var markdown = PlainMarkdown()
        #expect(markdown.line("# A *b*")?.pieces.allSatisfy { $0.style == Theme.strong } == true)
        let pieces = PlainMarkdown.inline("a **b**")
        #expect(pieces == [StyledText(text: "a "), StyledText(text: "b", style: Theme.strong)])
    }

    @Test("between fences nothing is a mark")
    func code() {
        #expect(shown("a\n```\n# *x*\n- y\n```\n*b*") == ["a", "# *x*", "- y", "b"])
    }

    @Test("lines break after words, or within one that is too long, and hang from their mark")
    func wrapping() {
        let text = [StyledText(text: "• one two three")]
        let lines = text.wrapped(to: 9, hanging: 2).map { $0.map(\.text).joined() }
        #expect(lines == ["• one two", "  three"])
        let long = [StyledText(text: "abcdefgh ij")].wrapped(to: 3).map { $0[0].text }
        #expect(long == ["abc", "def", "gh", "ij"])
        #expect([StyledText(text: "日本")].wrapped(to: 1).map { $0[0].text } == ["日", "本"])
        #expect([StyledText](repeating: StyledText(text: ""), count: 2).wrapped(to: 5) == [[]])
        let words = [StyledText(text: String(repeating: "a b ", count: 99))]
        #expect(words.wrapped(to: 7, limit: 3) == Array(words.wrapped(to: 7).prefix(3)))
    }
}

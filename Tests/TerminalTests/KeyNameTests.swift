import Testing

@testable import Terminal

@Suite struct KeyNameTests {
    @Test(
        "a name gives its key, and the key's label gives the key back",
        arguments: [
            ("j", Key(.character("j")), "j"), ("J", Key(.character("J")), "J"),
            ("?", Key(.character("?")), "?"), ("^", Key(.character("^")), "^"),
            ("-", Key(.character("-")), "-"), ("^R", Key(.character("r"), .control), "^R"),
            ("^r", Key(.character("r"), .control), "^R"),
            ("Ctrl-r", Key(.character("r"), .control), "^R"),
            ("^Space", Key(.character(" "), .control), "^Space"),
            ("^@", Key(.character(" "), .control), "^Space"),
            ("^_", Key(.character("_"), .control), "^_"), ("^I", Key(.tab), "Tab"),
            ("^M", Key(.enter), "Enter"), ("^J", Key(.enter), "Enter"),
            ("^H", Key(.backspace), "Backspace"), ("^[", Key(.escape), "Esc"),
            ("Space", Key(.character(" ")), "Space"), ("space", Key(.character(" ")), "Space"),
            (" ", Key(.character(" ")), "Space"), ("Enter", Key(.enter), "Enter"),
            ("Alt-Down", Key(.down, .alt), "Alt-↓"), ("Alt-↑", Key(.up, .alt), "Alt-↑"),
            ("alt-b", Key(.character("b"), .alt), "Alt-b"),
            ("Alt-B", Key(.character("B"), .alt), "Alt-B"),
            ("Alt-^R", Key(.character("r"), [.alt, .control]), "Alt-^R"),
            ("Alt--", Key(.character("-"), .alt), "Alt--"),
            ("PgDn", Key(.pageDown), "PgDn"), ("PageUp", Key(.pageUp), "PgUp"),
            ("Shift-Tab", Key(.backTab), "Shift-Tab"), ("Shift-^I", Key(.backTab), "Shift-Tab"),
            ("Del", Key(.delete), "Del"),
            ("F1", Key(.function(1)), "F1"), ("F12", Key(.function(12)), "F12"),
            ("Ctrl-Home", Key(.home, .control), "Ctrl-Home"), ("F", Key(.character("F")), "F"),
            ("^é", Key(.character("é"), .control), "^é"),
            ("é", Key(.character("é")), "é"), ("日", Key(.character("日")), "日"),
        ])
    func names(name: String, key: Key, label: String) {
        #expect(Key(name) == key)
        #expect(key.label == label)
        #expect(Key(key.label) == key)
    }

    @Test(
        "what is no name gives no key",
        arguments: ["", "jk", "F0", "F99", "Foo", "Alt-", "Hyper-x", "^Nope"])
    func noNames(name: String) {
        #expect(Key(name) == nil)
    }

    @Test("only a character without control and Alt types text")
    func typed() {
        #expect(Key("j").typed == "j")
        #expect(Key("J").typed == "J")
        #expect(Key("^R").typed == nil)
        #expect(Key("Alt-b").typed == nil)
        #expect(Key("Enter").typed == nil)
    }
}

import Testing

@testable import Terminal

/// Mouse reports as terminals send them, and malformed ones.
@Suite("Reports of the mouse")
struct MouseEventTests {
    private static func mouse(
        _ kind: MouseEvent.Kind, _ x: Int, _ y: Int, _ modifiers: Key.Modifiers = []
    ) -> Key {
        Key(.mouse(MouseEvent(kind, at: Point(x: x, y: y))), modifiers)
    }

    /// Bytes after `CSI <` and their meaning.
    static let reports: [(String, Key)] = [
        ("0;1;1M", mouse(.pressed(.left), 0, 0)), ("1;10;20M", mouse(.pressed(.middle), 9, 19)),
        ("2;300;7M", mouse(.pressed(.right), 299, 6)), ("0;1;1m", mouse(.released(.left), 0, 0)),
        ("2;1;1m", mouse(.released(.right), 0, 0)), ("32;2;3M", mouse(.dragged(.left), 1, 2)),
        ("33;2;3M", mouse(.dragged(.middle), 1, 2)), ("32;2;3m", mouse(.released(.left), 1, 2)),
        ("64;5;5M", mouse(.wheelUp, 4, 4)), ("65;5;5M", mouse(.wheelDown, 4, 4)),
        ("4;1;1M", mouse(.pressed(.left), 0, 0, .shift)),
        ("8;1;1M", mouse(.pressed(.left), 0, 0, .alt)),
        ("16;1;1M", mouse(.pressed(.left), 0, 0, .control)),
        ("28;1;1M", mouse(.pressed(.left), 0, 0, [.shift, .alt, .control])),
        ("81;1;1M", mouse(.wheelDown, 0, 0, .control)),
        ("0;65535;65535M", mouse(.pressed(.left), 65534, 65534)),
        ("0;00001;0001M", mouse(.pressed(.left), 0, 0)),
    ]

    @Test("button, wheel, drag, release, cell and modifiers", arguments: reports)
    func report(text: String, key: Key) {
        #expect(keys("\u{1b}[<\(text)j") == [key, "j"])
    }

    @Test("a report cut anywhere is the same report", arguments: reports)
    func cut(text: String, key: Key) {
        let bytes = Array("\u{1b}[<\(text)".utf8)
        for cut in 1..<bytes.count {
            var decoder = KeyDecoder()
            var result = decoder.feed(bytes[..<cut])
            // `ESC [` alone is Alt with a bracket.
            if cut > 2 { result += decoder.timeout() }
            result += decoder.feed(bytes[cut...])
            #expect(result == [key], "cut at \(cut)")
            #expect(!decoder.hasPending)
        }
    }

    @Test(
        "what no terminal sends, or nobody acts on, is dropped whole",
        arguments: [
            "0;0;1M", "0;1;0M", "0;;1M", ";1;1M", "0;1M", "0M", "M", ";;M", "0;1;1;1M",
            "0;100000;1M", "0;1;99999999999999999999999M", "99999999999999999999;1;1M",
            "0:1;1;1M", "<0;1;1M", "?0;1;1M", "35;4;4M", "66;1;1M", "67;1;1M", "64;1;1m",
            "96;1;1M", "128;1;1M", "3;1;1M", "3;1;1m", "256;1;1M", "0;1;0000001M",
            "0;" + String(repeating: "0", count: 60) + "1;12M",
        ])
    func dropped(text: String) {
        #expect(keys("\u{1b}[<\(text)jk") == ["j", "k"])
    }

    @Test("a number below zero is no report, and no letter of it is a key")
    func negative() {
        #expect(keys("\u{1b}[<0;-1;1Mj") == [Key(.unknown), "j"])
    }

    @Test("other ways of reporting are dropped, with the bytes after them")
    func otherWays() {
        #expect(keys("\u{1b}[M !!j") == ["j"])
        // Above column 95 the old way sends bytes that are no ASCII.
        #expect(keys(Array("\u{1b}[M".utf8) + [0x60, 0xe1, 0xff] + [0x6a]) == ["j"])
        #expect(keys("\u{1b}[32;10;10Mj") == ["j"])
    }

    @Test("Escape typed just before a report is Escape, not Alt")
    func escapeBefore() {
        #expect(keys("\u{1b}\u{1b}[<0;1;1M") == ["Esc", Self.mouse(.pressed(.left), 0, 0)])
        #expect(keys("\u{1b}\u{1b}[<35;1;1Mj") == ["Esc", "j"])
        #expect(keys("\u{1b}\u{1b}[M !!j") == ["Esc", "j"])
    }

    @Test("within a paste a report is text")
    func pasted() {
        #expect(keys("\u{1b}[200~a\u{1b}[<0;1;1Mb\u{1b}[201~") == [Key(.paste("a\u{1b}[<0;1;1Mb"))])
    }

    @Test("a hundred thousand at once are as many, and the key after them is itself")
    func flood() {
        var decoder = KeyDecoder()
        let report = Array("\u{1b}[<32;10;20M".utf8)
        let result = decoder.feed((0..<100_000).lazy.flatMap { _ in report }) + decoder.feed([0x6a])
        #expect(result.count == 100_001)
        #expect(result.last == "j")
    }
}

import Testing

@testable import Terminal

@Suite struct DisplayTextTests {
    /// A character, its drawn form, and the number of columns.
    static let characters: [(String, String, Int)] = [
        ("a", "a", 1), (" ", " ", 1), ("é", "é", 1), ("e\u{301}", "e\u{301}", 1), ("日", "日", 2),
        ("ｱ", "ｱ", 1), ("Ａ", "Ａ", 2), ("한", "한", 2), ("→", "→", 1), ("█", "█", 1),
        // C0, DEL and line ends
        ("\0", "␀", 1), ("\t", "␉", 1), ("\n", "␊", 1), ("\r", "␍", 1), ("\r\n", "␊", 1),
        ("\u{1b}", "␛", 1), ("\u{7f}", "␡", 1), ("\u{2028}", "␊", 1), ("\u{2029}", "␊", 1),
        // C1
        ("\u{80}", "\u{fffd}", 1), ("\u{9b}", "\u{fffd}", 1), ("\u{85}", "\u{fffd}", 1),
        // Bidi controls and other invisible ones, alone
        ("\u{202e}", "\u{fffd}", 1), ("\u{2066}", "\u{fffd}", 1), ("\u{200f}", "\u{fffd}", 1),
        ("\u{61c}", "\u{fffd}", 1), ("\u{200b}", "\u{fffd}", 1), ("\u{feff}", "\u{fffd}", 1),
        ("\u{200d}", "\u{fffd}", 1), ("\u{fe0f}", "\u{fffd}", 1), ("\u{e0001}", "\u{fffd}", 1),
        ("\u{3164}", "\u{fffd}", 1), ("\u{fff9}", "\u{fffd}", 1), ("\u{ffff}", "\u{fffd}", 1),
        ("\u{ad}", "-", 1),
        // Within a character
        ("a\u{200d}", "a", 1), ("a\u{200c}", "a", 1), ("a\u{301}\u{200d}", "a\u{301}", 1),
        ("a\u{200c}\u{301}", "a\u{301}", 1), ("1\u{fe0f}\u{20e3}", "1", 1),
        ("\u{2764}\u{fe0f}", "\u{2764}", 1), ("\u{2764}\u{fe0e}", "\u{2764}", 1),
        // Emoji
        ("😀", "😀", 2), ("👍🏽", "👍", 2), ("🏽", "◌", 1), ("👩\u{200d}👩\u{200d}👧\u{200d}👦", "👩", 2),
        ("🇩🇪", "DE", 2), ("🇩", "D", 1), ("🏴\u{e0067}\u{e0062}\u{e007f}", "🏴", 2),
        // Marks without a base, and too many
        ("\u{301}", "◌\u{301}", 1), ("\u{301}\u{302}", "◌\u{301}\u{302}", 1),
        ("a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "a\u{301}\u{302}\u{303}\u{304}", 1),
        // Vowel signs, AM, voiced kana and consonants after a virama have columns of their own
        ("का", "का", 2), ("कि", "कि", 2), ("กำ", "กำ", 2), ("น้ำ", "น้ำ", 2), ("ນ້ຳ", "ນ້ຳ", 2),
        ("কো", "কো", 2), ("ொ", "◌ொ", 2), ("កោ", "កោ", 2), ("ကြွေ", "ကြွေ", 3),
        ("ｶ\u{ff9e}", "ｶ\u{ff9e}", 2), ("\u{93e}", "◌\u{93e}", 2),
        ("\u{ff9e}", "◌\u{ff9e}", 2), ("क्ष", "क्ष", 2), ("क्\u{200d}ष", "क्ष", 2),
        ("का\u{301}\u{302}\u{303}\u{304}\u{305}", "का\u{301}\u{302}\u{303}\u{304}", 2),
        // A virama stays, but not where a joiner kept it from joining
        ("क्", "क्", 1), ("क्\u{200c}", "क", 1), ("\u{d4e}", "\u{d4e}", 1),
        ("\u{d4e}ക", "\u{d4e}ക", 2),
        // Newer than the tables
        ("\u{1fae9}", "\u{fffd}", 1), ("\u{1fae8}", "\u{1fae8}", 2),
        // Decomposed Korean
        ("\u{1112}\u{1161}\u{11ab}", "한", 2), ("\u{1112}\u{1161}", "하", 2),
        ("\u{1112}", "\u{1112}", 2), ("\u{1161}", "◌", 1), ("\u{11ab}", "◌", 1),
        ("\u{1113}\u{1161}", "〓", 2),
    ]

    @Test(
        "a character is drawn safely, in columns that all terminals agree on", arguments: characters
    )
    func character(text: String, drawn: String, columns: Int) throws {
        #expect(text.count == 1)
        let glyph = Glyph(try #require(text.first))
        // Compared by code points: equal strings may be composed differently.
        #expect(Array(glyph.text.unicodeScalars) == Array(drawn.unicodeScalars))
        #expect(glyph.columns == columns)
        #expect(DisplayText.width(of: text) == columns)
        #expect(DisplayText.sanitized(text).unicodeScalars.elementsEqual(drawn.unicodeScalars))
    }

    @Test(
        "whatever the text, nothing that steers a terminal comes out, and every glyph has a width")
    func everyCodePoint() {
        // Everything assigned but for ideographs, syllables of Hangul and private use.
        let ranges: [Range<UInt32>] = [
            0..<0x3500, 0x4db0..<0x4e10, 0x9ff0..<0xac10, 0xd700..<0xe010, 0xf8f0..<0x1_1100,
            0x1_f000..<0x2_0000, 0xe_0000..<0xe_1000,
        ]
        for value in ranges.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in [String(scalar), "a\(scalar)", "\(scalar)\u{301}", "👩\u{200d}\(scalar)"] {
                for glyph in DisplayText.glyphs(of: text) {
                    let isSafe = glyph.text.unicodeScalars.allSatisfy {
                        let kind = CodePointKind($0)
                        return kind != .control && kind != .invisible && kind != .regionalIndicator
                    }
                    guard isSafe, 1...3 ~= glyph.columns, !glyph.text.isEmpty else {
                        Issue.record("U+\(String(value, radix: 16)): \(glyph)")
                        return
                    }
                }
            }
        }
    }

    /// Code points of every kind that the division of text into characters knows, and some more.
    static let troublesome: [Unicode.Scalar] = [
        "a", " ", "\n", "\r", "\t", "\u{1b}", "\u{9b}", "\u{301}", "\u{20e3}", "\u{200d}",
        "\u{200c}",
        "\u{200b}", "\u{fe0f}", "\u{fe0e}", "\u{202e}", "\u{ad}", "1", "é", "日", "\u{1100}",
        "\u{1112}",
        "\u{1161}", "\u{11a8}", "\u{ac00}", "\u{ac01}", "\u{115f}", "\u{1160}", "\u{a960}",
        "\u{d7b0}",
        "\u{d7cb}", "\u{302e}", "\u{3099}", "\u{ff76}", "\u{ff9e}", "\u{1f1e9}", "\u{1f1ea}", "😀",
        "👩",
        "🏽", "❤", "♂", "\u{1f3f4}", "\u{e0067}", "\u{e007f}", "©", "\u{915}", "\u{937}", "\u{94d}",
        "\u{93e}", "\u{93f}", "\u{902}", "\u{903}", "\u{995}", "\u{9cd}", "\u{b95}", "\u{bcd}",
        "\u{bbe}",
        "\u{d15}", "\u{d4d}", "\u{d4e}", "\u{e01}", "\u{e33}", "\u{e34}", "\u{eb3}", "\u{f40}",
        "\u{f90}",
        "\u{1000}", "\u{102b}", "\u{1031}", "\u{1039}", "\u{1780}", "\u{17b6}", "\u{17d2}",
        "\u{627}",
        "\u{64e}", "\u{600}", "\u{5d0}", "\u{5b0}", "\u{710}", "\u{70f}", "\u{711}", "\u{1820}",
        "\u{180b}",
        "\u{110bd}", "\u{1f3fb}", "\u{10ffff}", "\u{fffd}", "\u{25cc}", "\u{1fae9}",
    ]

    @Test("no glyph joins its neighbour: drawn again, a text is the same, in the same columns")
    func stability() {
        for first in Self.troublesome {
            for second in Self.troublesome {
                // All pairs, each before and behind a few others.
                for third: Unicode.Scalar in [
                    "a", "\u{937}", "\u{301}", "🏽", "\u{11a8}", "\u{200d}",
                ] {
                    var text = String(first)
                    text.unicodeScalars.append(second)
                    text.unicodeScalars.append(third)
                    let drawn = DisplayText.sanitized(text)
                    guard DisplayText.width(of: drawn) == DisplayText.width(of: text),
                        DisplayText.sanitized(drawn).unicodeScalars.elementsEqual(
                            drawn.unicodeScalars)
                    else {
                        Issue.record("\(text.unicodeScalars.map { String($0.value, radix: 16) })")
                        return
                    }
                }
            }
        }
    }

    @Test("a width is the sum of the glyphs', of a prefix as well")
    func widths() {
        let text = "aé日本👩\u{200d}👩\u{200d}👧\u{200d}👦\u{1b}[31m🇩🇪"
        #expect(DisplayText.width(of: text) == 1 + 1 + 2 + 2 + 2 + 5 + 2)
        #expect(DisplayText.width(of: text.prefix(4)) == 6)
        #expect(DisplayText.width(of: Array(text).prefix(4)) == 6)
        #expect(DisplayText.width(of: "") == 0)
        #expect(DisplayText.width(of: "plain") == 5)
    }

    @Test(
        "a text that is too long ends in an ellipsis and never in half a glyph",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("", 0, ""),
            ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
            ("日本語", 1, "…"), ("日a", 3, "日a"), ("日a", 2, "…"), ("a\u{1b}b", 3, "a␛b"),
            ("a\u{1b}bc", 3, "a␛…"), ("abc", -1, ""),
            ("abc\u{301}", 3, "abc\u{301}"), ("abc\u{301}d", 3, "ab…"), ("abcd\u{301}", 3, "ab…"),
            ("abc", .max, "abc"),
        ])
    func truncated(text: String, columns: Int, expected: String) {
        let result = DisplayText.truncated(text, to: columns)
        #expect(result == expected)
        #expect(DisplayText.width(of: result) <= max(0, columns))
    }

    @Test(
        "a sentence that is too long is cut after a word, unless that costs half of it",
        arguments: [
            ("one two three", 13, "one two three"), ("one two three", 12, "one two…"),
            ("one two three", 9, "one two…"), ("one two three", 8, "one two…"),
            ("one two three", 7, "one…"), ("one twothreefour", 12, "one twothre…"),
            ("one two", 0, ""), ("一二 三四五六", 9, "一二…"), ("a\u{1b} bcd", 5, "a␛…"),
        ])
    func truncatedAfterWord(text: String, columns: Int, expected: String) {
        #expect(DisplayText.truncatedAfterWord(text, to: columns) == expected)
    }

    @Test("the characters that fit are counted")
    func countWithin() {
        #expect(DisplayText.count(of: "a日b", within: 0) == 0)
        #expect(DisplayText.count(of: "a日b", within: 2) == 1)
        #expect(DisplayText.count(of: "a日b", within: 3) == 2)
        #expect(DisplayText.count(of: "a日b", within: 99) == 3)
    }

    @Test("a text is measured no further than asked", arguments: ["", "abc", "日本語", "a日b本"])
    func boundedWidth(text: String) {
        for columns in 0...8 {
            #expect(
                DisplayText.width(of: text, upTo: columns)
                    == min(DisplayText.width(of: text), columns))
        }
    }
}

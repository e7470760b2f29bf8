import Testing

@testable import Terminal

/// The keys that `text` gives when it comes at once and nothing follows in time.
private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

private func keys(_ bytes: [UInt8]) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.feed(bytes) + settle(&decoder)
}

/// Lets all the time pass that a decoder may wait for.
private func settle(_ decoder: inout KeyDecoder) -> [Key] {
    var keys: [Key] = []
    while decoder.hasPending { keys += decoder.timeout() }
    return keys
}

@Suite struct KeyDecoderTests {
    /// Bytes after ESC and the key that they are, by terminal.
    static let sequences: [(String, Key)] = [
        // xterm, tmux, normal and application mode
        ("[A", "Up"), ("[B", "Down"), ("[C", "Right"), ("[D", "Left"), ("[H", "Home"),
        ("[F", "End"), ("OA", "Up"), ("OB", "Down"), ("OC", "Right"), ("OD", "Left"),
        ("OH", "Home"), ("OF", "End"), ("OP", "F1"), ("OQ", "F2"), ("OR", "F3"), ("OS", "F4"),
        ("[1~", "Home"), ("[2~", "Ins"), ("[3~", "Del"), ("[4~", "End"), ("[5~", "PgUp"),
        ("[6~", "PgDn"), ("[7~", "Home"), ("[8~", "End"), ("[11~", "F1"), ("[15~", "F5"),
        ("[17~", "F6"), ("[20~", "F9"), ("[21~", "F10"), ("[23~", "F11"), ("[24~", "F12"),
        ("[25~", "F13"), ("[28~", "F15"), ("[31~", "F17"), ("[34~", "F20"), ("[Z", "Shift-Tab"),
        ("[1;1A", "Up"), ("[1;2A", "Shift-Up"), ("[1;3A", "Alt-Up"), ("[1;4A", "Alt-Shift-Up"),
        ("[1;5A", "Ctrl-Up"), ("[1;6A", "Ctrl-Shift-Up"), ("[1;7A", "Ctrl-Alt-Up"),
        ("[1;8A", "Ctrl-Alt-Shift-Up"), ("[1;9A", "Alt-Up"), ("[5A", "Ctrl-Up"),
        ("[1;3B", "Alt-Down"), ("[3;5~", "Ctrl-Del"), ("[5;3~", "Alt-PgUp"),
        ("[1;2P", "Shift-F1"), ("[15;5~", "Ctrl-F5"), ("[1;5H", "Ctrl-Home"), ("O5P", "Ctrl-F1"),
        // The keypad in application mode
        ("OM", "Enter"), ("Oj", "*"), ("Ok", "+"), ("Op", "0"), ("Oy", "9"),
        // rxvt
        ("[a", "Shift-Up"), ("[d", "Shift-Left"), ("Oa", "Ctrl-Up"), ("Oc", "Ctrl-Right"),
        ("[3$", "Shift-Del"), ("[3^", "Ctrl-Del"), ("[3@", "Ctrl-Shift-Del"),
        ("[23$", "Shift-F11"), ("\u{1b}[A", "Alt-Up"), ("\u{1b}OA", "Alt-Up"),
        ("\u{1b}[3~", "Alt-Del"),
        // The Linux console
        ("[[A", "F1"), ("[[E", "F5"),
        // CSI u and xterm's modifyOtherKeys
        ("[13;2u", "Shift-Enter"), ("[114;5u", "^r"), ("[27;5;114~", "^r"), ("[9;2u", "Shift-Tab"),
        ("[97;2u", "A"), ("[98;3u", "Alt-b"), ("[127;3u", "Alt-Backspace"), ("[27u", "Esc"),
        ("[97:65;2:1u", "A"), ("[105;5u", Key(.character("i"), .control)),
        // Alt
        ("b", "Alt-b"), ("B", "Alt-B"), ("\u{7f}", "Alt-Backspace"), ("\r", "Alt-Enter"),
        ("\u{12}", "Alt-^R"), ("é", "Alt-é"), (" ", "Alt-Space"),
    ]

    @Test("a sequence is one key and leaves the next letter alone", arguments: sequences)
    func sequence(text: String, key: Key) {
        #expect(keys("\u{1b}\(text)j") == [key, "j"])
    }

    @Test("a sequence cut anywhere, with time between, is the same key", arguments: sequences)
    func cutSequence(text: String, key: Key) {
        let bytes = Array("\u{1b}\(text)".utf8)
        // The first two bytes cannot be told from Escape and Alt with a bracket if they come alone.
        for cut in 1..<bytes.count {
            var decoder = KeyDecoder()
            var result = decoder.feed(bytes[..<cut])
            let isAmbiguous = cut <= 2 || (cut <= 3 && bytes[1] == 0x1b)
            if !isAmbiguous { result += decoder.timeout() }
            result += decoder.feed(bytes[cut...])
            result += settle(&decoder)
            #expect(result == [key], "cut at \(cut)")
        }
    }

    @Test("control bytes are small letters with control, but for keys of their own")
    func controlBytes() {
        #expect(keys([0x00]) == [Key(.character(" "), .control)])
        #expect(keys([0x01, 0x12, 0x1a]) == ["^A", "^R", "^Z"])
        #expect(
            keys([0x09, 0x0a, 0x0d, 0x08, 0x7f]).map(\.code) == [
                .tab, .enter, .enter, .backspace, .backspace,
            ])
        #expect(keys([0x1c, 0x1d, 0x1e, 0x1f]) == ["^\\", "^]", "^^", "^_"])
    }

    @Test("a lone ESC is Escape only once its time has passed")
    func loneEscape() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1b]).isEmpty)
        #expect(decoder.hasPending)
        #expect(decoder.timeout() == ["Esc"])
        #expect(!decoder.hasPending)
        #expect(decoder.timeout().isEmpty)
        #expect(decoder.feed([0x6a]) == ["j"])
    }

    @Test(
        "what begins a sequence but stays alone is Alt with that character",
        arguments: [
            "[", "O", "]", "P", "_", "^", "X",
        ])
    func altWithIntroducer(text: String) throws {
        let key = Key(.character(try #require(text.first)), .alt)
        #expect(keys("\u{1b}\(text)") == [key])
        #expect(keys("\u{1b}\u{1b}\(text)") == ["Esc", key])
    }

    @Test("two ESC are two Escapes, and with a letter Escape and Alt")
    func twoEscapes() {
        #expect(keys("\u{1b}\u{1b}") == ["Esc", "Esc"])
        #expect(keys("\u{1b}\u{1b}j") == ["Esc", "Alt-j"])
        #expect(keys("\u{1b}\u{1b}\u{1b}[A") == ["Esc", "Alt-Up"])
    }

    @Test(
        "a sequence that means nothing is one unknown key, and no letter leaks",
        arguments: [
            "[99;7x", "[?1;2c", "[>41;0;0c", "[1;2;3;4;5w", "[12;24r", "[ q", "[?2026;1$y", "[200z",
            "[[Z", "Oz", "[201~", "[57358u", "[999999999999999999999999~",
            "[" + String(repeating: "1;", count: 500) + "A" + "", "[I", "[0n",
        ])
    func unknownSequence(text: String) {
        let result = keys("\u{1b}\(text)jk")
        #expect(result.suffix(2) == ["j", "k"])
        #expect(result.count == 3)
    }

    @Test(
        "replies and reports of the mouse are taken unseen",
        arguments: [
            "]11;rgb:1234/5678/9abc\u{07}", "]11;rgb:1234/5678/9abc\u{1b}\\", "P1$r0m\u{1b}\\",
            "P>|xterm(370)\u{1b}\\", "_Gi=1;OK\u{1b}\\", "^privacy\u{1b}\\", "Xstring\u{1b}\\",
            "[<0;10;20M", "[<0;10;20m", "[<64;300;20M", "[M !!", "[32;10;10M",
        ])
    func swallowed(text: String) {
        #expect(keys("\u{1b}\(text)jk") == ["j", "k"])
        var decoder = KeyDecoder()
        let result = "\u{1b}\(text)jk".utf8.flatMap { decoder.feed([$0]) }
        #expect(result == ["j", "k"])
    }

    @Test("a reply without an end is left by Escape, by Enter and by time")
    func unendedReply() {
        #expect(keys("\u{1b}]11;x\u{1b}jk") == ["Alt-j", "k"])
        #expect(keys("\u{1b}]11;x\rk") == [Key(.unknown), "Enter", "k"])
        var decoder = KeyDecoder()
        #expect(decoder.feed("\u{1b}]11;x".utf8).isEmpty)
        #expect(decoder.timeout().isEmpty)
        #expect(decoder.hasPending)
        #expect(decoder.timeout() == [Key(.unknown)])
        #expect(decoder.feed("j".utf8) == ["j"])
    }

    @Test("a sequence broken off by a control byte gives way to it")
    func brokenOff() {
        #expect(keys("\u{1b}[1;\u{1b}[A") == [Key(.unknown), "Up"])
        #expect(keys("\u{1b}[1;\r") == [Key(.unknown), "Enter"])
        #expect(keys("\u{1b}[1;\u{18}j") == [Key(.unknown), "j"])
        #expect(keys("\u{1b}[1;éj") == [Key(.unknown), "é", "j"])
    }
}

@Suite struct KeyDecoderTextTests {
    static let text = "aé日😀e\u{301}👩\u{200d}👩"

    @Test("UTF-8 cut at every byte is the same code points")
    func cutText() {
        let bytes = Array(Self.text.utf8)
        let expected = Self.text.unicodeScalars.map { Key(.character(Character($0))) }
        for cut in 0...bytes.count {
            var decoder = KeyDecoder()
            var result = decoder.feed(bytes[..<cut])
            result += decoder.timeout()
            result += decoder.feed(bytes[cut...])
            #expect(result == expected, "cut at \(cut)")
        }
    }

    @Test(
        "broken UTF-8 is U+FFFD for each maximal subpart, as the standard library has it",
        arguments: [
            [0x80], [0xc0, 0xaf], [0xe2, 0x82], [0xe2, 0x82, 0x41], [0xf0, 0x9f, 0x98],
            [0xff, 0xfe],
            [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0x80], [0xc3, 0xc3, 0xa9],
            [0xf0, 0x9f, 0x41, 0xe2],
        ] as [[UInt8]])
    func broken(bytes: [UInt8]) {
        let bytes = bytes + [0x6a]
        let expected = String(decoding: bytes, as: UTF8.self).unicodeScalars.map {
            Key(.character(Character($0)))
        }
        #expect(keys(bytes) == expected)
    }

    @Test("a paste is one key, however the reads split it, and its lines end in a line feed")
    func paste() {
        let bytes = Array(
            "a\u{1b}[200~one\rtwo\r\nthree\nq\u{1b}[A\u{1b}[20\u{3}é\u{1b}[201~b".utf8)
        let expected: [Key] = [
            "a", Key(.paste("one\ntwo\nthree\nq\u{1b}[A\u{1b}[20\u{3}é")), "b",
        ]
        for cut in 0...bytes.count {
            var decoder = KeyDecoder()
            #expect(decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...]) == expected)
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.feed([$0]) } == expected)
    }

    @Test("a paste waits for its end, whatever the time")
    func pasteWithoutEnd() {
        var decoder = KeyDecoder()
        #expect(decoder.feed("\u{1b}[200~dd".utf8).isEmpty)
        #expect(!decoder.hasPending)
        #expect(decoder.timeout().isEmpty)
        #expect(decoder.feed("q\u{1b}\u{1b}[201~".utf8) == [Key(.paste("ddq\u{1b}"))])
    }

    @Test("the first end marker ends a paste, and a beginning within one is text")
    func markersInPaste() {
        let bytes = "\u{1b}[200~a\u{1b}[200~b\u{1b}[201~c\u{1b}[201~d"
        #expect(keys(bytes) == [Key(.paste("a\u{1b}[200~b")), "c", Key(.unknown), "d"])
    }

    @Test("a paste beyond the limit is unknown, and nothing of it is a key")
    func hugePaste() {
        var decoder = KeyDecoder(pasteLimit: 10)
        #expect(
            decoder.feed("\u{1b}[200~0123456789\u{1b}[201~".utf8) == [Key(.paste("0123456789"))])
        let long = "\u{1b}[200~0123456789dd\u{1b}[2dd\u{1b}[201~j"
        #expect(decoder.feed(long.utf8) == [Key(.unknown), "j"])
    }

    @Test("random bytes never keep the letters from being read that follow", arguments: 0..<200)
    func randomBytes(seed: UInt64) {
        var random = SplitMix(state: seed)
        // Weighted towards what begins and ends sequences.
        let special: [UInt8] = Array("\u{1b}\u{1b}[O]P;0129~MABu$<\u{07}\\".utf8)
        var decoder = KeyDecoder(pasteLimit: 1000)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? special[Int.random(in: 0..<special.count, using: &random)]
                    : UInt8.random(in: 0...255, using: &random)
            }
            _ = decoder.feed(bytes)
            if Int.random(in: 0..<10, using: &random) == 0 { _ = decoder.timeout() }
        }
        _ = settle(&decoder)
        _ = decoder.feed("\u{1b}[201~".utf8)
        _ = settle(&decoder)
        #expect(decoder.feed("plain".utf8) == ["p", "l", "a", "i", "n"])
    }
}

/// Steele, Lea and Flood's generator: the same numbers on every machine.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

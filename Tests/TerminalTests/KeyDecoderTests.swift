import Testing

@testable import Terminal

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
        for cut in 1..<bytes.count {
            var decoder = KeyDecoder()
            var result = decoder.feed(bytes[..<cut])
            // An ESC that comes alone is Escape, too.
            let isEscape = bytes[..<cut].allSatisfy { $0 == 0x1b }
            if !isEscape { result += decoder.timeout() }
            result += decoder.feed(bytes[cut...])
            result += settle(&decoder)
            #expect(result == [key], "cut at \(cut)")
        }
    }

    @Test(
        "of a sequence that comes late, byte by byte, only the ESC is a key",
        arguments: sequences.filter { $0.0.hasPrefix("[") || $0.0.hasPrefix("O") })
    func lateSequence(text: String, key: Key) {
        var decoder = KeyDecoder()
        var result = decoder.feed([0x1b]) + decoder.timeout()
        for byte in text.utf8 { result += decoder.feed([byte]) + decoder.timeout() }
        #expect(result == ["Esc", key])
        #expect(!decoder.hasPending)
        #expect(decoder.feed("j".utf8) == ["j"])
    }

    @Test(
        "a reply that comes apart from its ESC is no key",
        arguments: ["]11;rgb:dddd/dddd/dddd\u{7}", "P>|xdd\u{1B}\\", "_Gi=1;OK\u{1B}\\"])
    func lateReply(text: String) {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1b]) + decoder.timeout() == ["Esc"])
        #expect(decoder.feed(Array(text.utf8)) + decoder.feed([0x6a]) == ["j"])
        // Typed keys come one by one.
        var typed = KeyDecoder()
        _ = typed.feed([0x1b]) + typed.timeout()
        #expect(typed.feed([0x50]) + typed.feed([0x78]) == ["P", "x"])
    }

    @Test(
        "so is one that comes in pieces",
        arguments: [
            ["P>|xx dd", "\u{1B}\\"], ["P>|xx dd", "\u{1B}", "\\"], ["]11;rgb:dd/xx", "\u{7}"],
            ["_Gi=1;OKxdd", "\u{1B}\\"], ["P1+r544e=787", "864", "\u{1B}\\"],
        ])
    func lateReplyInPieces(pieces: [String]) {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1b]) + decoder.timeout() == ["Esc"])
        for piece in pieces { #expect(decoder.feed(Array(piece.utf8)).isEmpty) }
        #expect(decoder.feed([0x6a]) == ["j"])
        // Two keys of a slow line are no reply.
        _ = decoder.feed([0x1b]) + decoder.timeout()
        #expect(decoder.feed(Array("Pj".utf8)) == ["P", "j"])
    }

    @Test("a paste whose start comes late is a paste")
    func latePaste() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1b]) + decoder.timeout() == ["Esc"])
        #expect(decoder.feed("[200~dd".utf8).isEmpty)
        #expect(decoder.isInPaste)
        #expect(decoder.feed("x\u{1b}[201~".utf8) + decoder.timeout() == [Key(.paste("ddx"))])
    }

    @Test("a bracket or an O long after an Escape is a letter")
    func laterLetters() {
        for letter in ["[", "O"] {
            var decoder = KeyDecoder()
            #expect(decoder.feed([0x1b]) + decoder.timeout() + decoder.timeout() == ["Esc"])
            #expect(decoder.feed(letter.utf8) == [Key(.character(Character(letter)))])
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
        #expect(decoder.hasPending)
        #expect(decoder.timeout().isEmpty)
        #expect(!decoder.hasPending)
        #expect(decoder.feed([0x6a]) == ["j"])
        _ = decoder.feed([0x1b]) + decoder.timeout()
        #expect(decoder.feed([0x6a]) == ["j"])
    }

    @Test(
        "what begins a sequence but stays alone is Alt with that character",
        arguments: [
            "]", "P", "_", "^", "X",
        ])
    func altWithIntroducer(text: String) throws {
        let key = Key(.character(try #require(text.first)), .alt)
        #expect(keys("\u{1b}\(text)") == [key])
        #expect(keys("\u{1b}\u{1b}\(text)") == ["Esc", key])
    }

    @Test("a sequence of which nothing more comes is dropped", arguments: ["[", "O", "[1;"])
    func cutOff(text: String) {
        var decoder = KeyDecoder()
        #expect(decoder.feed("\u{1b}\(text)".utf8).isEmpty)
        #expect(decoder.timeout().isEmpty)
        #expect(decoder.timeout() == [Key(.unknown)])
        #expect(decoder.feed("j".utf8) == ["j"])
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
        "replies, released keys, and reports of the mouse that mean nothing are taken unseen",
        arguments: [
            "]11;rgb:1234/5678/9abc\u{07}", "]11;rgb:1234/5678/9abc\u{1b}\\", "P1$r0m\u{1b}\\",
            "P>|xterm(370)\u{1b}\\", "_Gi=1;OK\u{1b}\\", "^privacy\u{1b}\\", "Xstring\u{1b}\\",
            "[<35;10;20M", "[M !!", "[32;10;10M", "[120;1:3u", "[1;5:3A", "[3;1:3~",
        ])
    func swallowed(text: String) {
        #expect(keys("\u{1b}\(text)jk") == ["j", "k"])
        var decoder = KeyDecoder()
        let result = "\u{1b}\(text)jk".utf8.flatMap { decoder.feed([$0]) }
        #expect(result == ["j", "k"])
        // A pause after the ESC makes that a key, and one between other bytes nothing.
        let bytes = Array("\u{1b}\(text)".utf8)
        for cut in 2..<bytes.count {
            var late = KeyDecoder()
            let first = late.feed(bytes[..<cut]) + late.timeout()
            #expect(first + late.feed(bytes[cut...]) + late.feed([0x6a]) == ["j"], "cut at \(cut)")
        }
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
    func unterminatedPaste() {
        #expect(keys("\u{1b}[1;\u{1b}[A") == [Key(.unknown), "Up"])
        #expect(keys("\u{1b}[1;\r") == [Key(.unknown), "Enter"])
        #expect(keys("\u{1b}[1;\u{18}j") == [Key(.unknown), "j"])
        #expect(keys("\u{1b}[1;éj") == [Key(.unknown), "é", "j"])
    }

    @Test("a paste without an end goes on until it is ended, whole but for a piece of its marker")
    func pasteThatStandsStill() {
        var decoder = KeyDecoder(pasteLimit: 8)
        #expect(decoder.feed("\u{1b}[200~abc\u{1b}[20".utf8).isEmpty)
        #expect(decoder.isInPaste)
        #expect(decoder.timeout().isEmpty)
        #expect(decoder.isInPaste)
        #expect(decoder.endPaste() == [Key(.paste("abc"))])
        #expect(!decoder.isInPaste)
        #expect(decoder.feed("j".utf8) == ["j"])
        #expect(decoder.feed("\u{1b}[200~123456789".utf8).isEmpty)
        #expect(decoder.endPaste() == [Key(.oversizedPaste(most: 8))])
        #expect(decoder.endPaste().isEmpty)
    }
}

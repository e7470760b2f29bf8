import Testing

@testable import Terminal

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
            let fed = decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...])
            #expect(fed + settle(&decoder) == expected)
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.feed([$0]) } + settle(&decoder) == expected)
    }

    @Test("a paste waits for its end, whatever the time")
    func pasteWithoutEnd() {
        var decoder = KeyDecoder()
        #expect(decoder.feed("\u{1b}[200~dd".utf8).isEmpty)
        #expect(!decoder.hasPending)
        #expect(decoder.timeout().isEmpty)
        #expect(decoder.feed("q\u{1b}\u{1b}[201~".utf8).isEmpty)
        #expect(decoder.hasPending)
        #expect(decoder.timeout() == [Key(.paste("ddq\u{1b}"))])
        #expect(decoder.feed("j".utf8) == ["j"])
    }

    @Test(
        "the last end marker before a pause ends a paste, and nothing before it is a key",
        arguments: [
            ("a\u{1b}[200~b\u{1b}[201~", "a\u{1b}[200~b", ""),
            ("a\u{1b}[27;5;106~b\u{1b}[106;5u\rc\u{1b}[13;1u\u{1b}[201~", "a\nb\n\nc\n", ""),
            ("a\u{1b}[201~dd\r:q\u{1b}[201~", "a\u{1b}[201~dd\n:q", ""),
            ("\u{1b}[201~\u{1b}[201~\u{1b}[201~", "\u{1b}[201~\u{1b}[201~", ""),
            ("a\u{1b}[201~dd\u{1b}[200~b\u{1b}[201~", "a\u{1b}[201~dd\u{1b}[200~b", ""),
            ("a\u{1b}[201~jk", "a", "jk"), ("a\u{1b}[201~j\u{1b}[20", "a", "j?"),
            ("a\u{1b}[201~\u{1b}", "a", "^"), ("a\u{1b}[201~b\u{1b}[201~j\u{1b}[A", "", "j↑"),
        ])
    func markersInPaste(sent: String, pasted: String, typed: String) {
        let names: [Character: Key] = ["?": Key(.unknown), "^": "Esc", "↑": "Up"]
        let text = pasted.isEmpty ? "a\u{1b}[201~b" : pasted
        let expected = [Key(.paste(text))] + typed.map { names[$0] ?? Key(.character($0)) }
        let bytes = Array("\u{1b}[200~\(sent)".utf8)
        for cut in 0...bytes.count {
            var decoder = KeyDecoder()
            let fed = decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...])
            #expect(fed.isEmpty)
            #expect(fed + settle(&decoder) == expected)
        }
    }

    @Test("keys behind a pause are keys, and so is an end marker without a paste unknown")
    func pauseAfterPaste() {
        var decoder = KeyDecoder()
        _ = decoder.feed("\u{1b}[200~a\u{1b}[201~".utf8)
        #expect(decoder.timeout() == [Key(.paste("a"))])
        #expect(decoder.feed("dd\u{1b}[201~".utf8) == ["d", "d", Key(.unknown)])
        _ = decoder.feed("\u{1b}[200~a\u{1b}[201~\u{1b}".utf8)
        #expect(decoder.timeout() == [Key(.paste("a")), "Esc"])
    }

    @Test("a paste beyond the limit is said to be one, and nothing of it is a key")
    func hugePaste() {
        func keys(_ text: String) -> [Key] {
            var decoder = KeyDecoder(pasteLimit: 10)
            return decoder.feed("\u{1b}[200~\(text)".utf8) + settle(&decoder)
        }
        let dropped = Key(.oversizedPaste(most: 10))
        #expect(keys("0123456789\u{1b}[201~j") == [Key(.paste("0123456789")), "j"])
        #expect(keys("0123456789dd\u{1b}[2dd\u{1b}[201~j") == [dropped, "j"])
        #expect(keys("01234\u{1b}[201~dd\u{1b}[201~j") == [dropped, "j"])
        #expect(keys("0\u{1b}[201~0123456789dd") == [dropped, "d", "d"])
    }

    @Test("random bytes never keep the letters from being read that follow", arguments: 0..<200)
    func randomBytes(seed: UInt64) {
        var random = SplitMix(state: seed)
        // Weighted towards bytes that begin and end sequences.
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

import Terminal

/// Keys do not depend on how the bytes were split, a paste is one key, and a report of the mouse is
/// one or none.
enum KeyProperties {
    private static let start = Array("\u{1b}[200~".utf8)
    private static let end = Array("\u{1b}[201~".utf8)
    /// Cutting everywhere costs the square of the length.
    private static let longestCutEverywhere = 48

    static func check(_ bytes: [UInt8]) throws {
        try splits(bytes)
        try settles(bytes)
        try paste(bytes)
        try mouse(bytes)
    }

    private static func splits(_ bytes: [UInt8]) throws {
        var decoder = KeyDecoder()
        let keys = decoder.feed(bytes)
        var single = KeyDecoder()
        try expect(bytes.flatMap { single.feed([$0]) } == keys, "byte by byte")
        let cuts =
            bytes.count <= longestCutEverywhere
            ? Array(bytes.indices) : [bytes.count / 2, bytes.count - Int(bytes[0] & 7) - 1]
        for cut in cuts {
            var halves = KeyDecoder()
            let both = halves.feed(bytes[..<cut]) + halves.feed(bytes[cut...])
            try expect(both == keys, "cut at \(cut): \(both), whole: \(keys)")
        }
    }

    /// After a timeout no sequence is open, and the next key is itself.
    private static func settles(_ bytes: [UInt8]) throws {
        var decoder = KeyDecoder()
        _ = decoder.feed(bytes)
        _ = decoder.timeout()
        _ = decoder.timeout()
        try expect(!decoder.hasPending, "pending after two timeouts")
        // A paste may be open still.
        _ = decoder.feed(end) + decoder.timeout()
        try expect(decoder.feed("j".utf8) == ["j"], "j is not j")
    }

    /// No numbers in a mouse report become text, and the next key is itself.
    private static func mouse(_ bytes: [UInt8]) throws {
        let numbers = bytes.map { Array("0123456789;;;;;:".utf8)[Int($0 & 15)] }
        for final in "Mm".utf8 {
            var decoder = KeyDecoder()
            let keys = decoder.feed("\u{1b}[<".utf8) + decoder.feed(numbers + [final])
            let isReport = keys.allSatisfy { if case .mouse = $0.code { true } else { false } }
            try expect(isReport && keys.count <= 1, "a report is \(keys)")
            try expect(decoder.feed("j".utf8) == ["j"], "j is not j after a report")
        }
    }

    /// A paste with any content, including end markers, is one key up to the pause.
    private static func paste(_ bytes: [UInt8]) throws {
        var decoder = KeyDecoder()
        let keys = decoder.feed(start + bytes + end) + decoder.timeout()
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(
            separator: "\r", omittingEmptySubsequences: false)
        var lines = String(text[0])
        for line in text.dropFirst() {
            lines += "\n"
            lines.unicodeScalars += line.first == "\n" ? line.dropFirst() : line
        }
        guard keys.count == 1, case .paste(let got) = keys[0].code else {
            throw Broken(description: "a paste is \(keys)")
        }
        try expectSame(got, lines, "the paste")
        try expect(decoder.feed("j".utf8) == ["j"], "j is not j after a paste")
        guard !bytes.isEmpty else { return }
        var strict = KeyDecoder(pasteLimit: bytes.count - 1)
        let refused = strict.feed(start + bytes + end) + strict.timeout()
        try expect(
            refused == [Key(.oversizedPaste(most: bytes.count - 1))],
            "a paste above the limit is \(refused)")
    }
}

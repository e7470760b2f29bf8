/// Which letters a folded text has, roughly, in 64 bits: one each for a to z and 0 to 9, and
/// some that other bytes share. A text that lacks one of a word's bits lacks the word.
enum LetterMask {
    static func mask(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 | bits[Int($1)] }
    }

    /// The letter that has a bit of its own, if `mask` is that of one.
    static func isOneLetter(_ mask: UInt64) -> Bool {
        mask.nonzeroBitCount == 1 && mask < 1 << 36
    }

    /// The bit of each byte.
    private static let bits: [UInt64] = (0..<256).map { byte in
        switch byte {
        case 0x61...0x7A: 1 << UInt64(byte - 0x61)
        case 0x30...0x39: 1 << UInt64(byte - 0x30 + 26)
        // Half of the bytes of UTF-8 are parts of letters, and most of those that differ between
        // letters of one script are their last ones.
        default: 1 << UInt64(36 + byte % 28)
        }
    }
}

/// What a note may hold, roughly, in any case: its letters, and its pairs of bytes side by side.
struct NoteMask: Sendable {
    private let letters: UInt64
    private let pairs: UInt64

    /// Longer notes have most letters, and take long to look through.
    private static let longNote = 4_096

    /// All of it where the note is long or not ASCII, and so has to be looked at.
    init(note: String) {
        var note = note
        self = note.withUTF8 { bytes in
            guard bytes.count <= Self.longNote, bytes.allSatisfy({ $0 < 0x80 }) else {
                return NoteMask(letters: .max, pairs: .max)
            }
            return NoteMask(folded: bytes.lazy.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 })
        }
    }

    /// What a folded text needs.
    init(folded bytes: some Sequence<UInt8>) {
        var pairs: UInt64 = 0
        var last: UInt8?
        for byte in bytes {
            if let last { pairs |= 1 << Self.bit(last, byte) }
            last = byte
        }
        self.init(letters: LetterMask.mask(of: bytes), pairs: pairs)
    }

    private init(letters: UInt64, pairs: UInt64) {
        self.letters = letters
        self.pairs = pairs
    }

    /// Whether it has all that `text` needs.
    func mayHold(_ text: NoteMask) -> Bool {
        letters & text.letters == text.letters && pairs & text.pairs == text.pairs
    }

    /// Whether a note that has one letter certainly has it.
    var knowsLetters: Bool { letters != .max }

    /// One of 64 bits for a pair, by the golden ratio: pairs that are common together are not
    /// beside each other (Knuth, "The Art of Computer Programming", 6.4).
    private static func bit(_ first: UInt8, _ second: UInt8) -> UInt64 {
        UInt64((UInt32(first) << 8 | UInt32(second)) &* 0x9E37_79B1 >> 26)
    }
}

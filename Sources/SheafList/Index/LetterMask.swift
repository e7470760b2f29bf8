/// Which letters a folded text has, roughly, in 64 bits: one each for a to z and 0 to 9, and
/// some that other bytes share. A text that lacks one of a word's bits lacks the word.
enum LetterMask {
    static func mask(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 | bits[Int($1)] }
    }

    /// The letters of a note, in any case; all of them where it is long or not ASCII, and so has to
    /// be looked at.
    static func mask(ofNote note: UnsafeBufferPointer<UInt8>) -> UInt64 {
        canBeMasked(note) ? mask(of: note.lazy.map(lowercased)) : .max
    }

    private static func canBeMasked(_ note: UnsafeBufferPointer<UInt8>) -> Bool {
        note.count <= longNote && note.allSatisfy { $0 < 0x80 }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }

    /// Which letters follow which in a folded text, in 64 bits that many pairs share: a text that
    /// lacks one of a word's bits lacks the word.
    static func pairs(of bytes: some Sequence<UInt8>) -> UInt64 {
        var before: UInt8?
        var mask: UInt64 = 0
        for byte in bytes {
            if let before { mask |= 1 &<< (UInt64(before) &* 5 &+ UInt64(byte) &* 27 & 63) }
            before = byte
        }
        return mask
    }

    /// The pairs of a note, in any case; all of them where it has to be looked at.
    static func pairs(ofNote note: UnsafeBufferPointer<UInt8>) -> UInt64 {
        canBeMasked(note) ? pairs(of: note.lazy.map(lowercased)) : .max
    }

    /// The letter that has a bit of its own, if `mask` is that of one.
    static func isOneLetter(_ mask: UInt64) -> Bool {
        mask.nonzeroBitCount == 1 && mask < 1 << 36
    }

    /// Longer notes have most letters, and take long to look through.
    private static let longNote = 4_096

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

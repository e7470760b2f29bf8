/// Which letters a folded text has, roughly, in 64 bits: one each for a to z and 0 to 9, and
/// some that other bytes share. A text that lacks one of a word's bits lacks the word.
enum LetterMask {
    static func mask(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 | bits[Int($1)] }
    }

    /// The letters of a note, in any case; all of them where it is long or not ASCII, and so has to
    /// be looked at.
    static func mask(ofNote note: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard note.count <= longNote, note.allSatisfy({ $0 < 0x80 }) else { return .max }
        return note.reduce(0) { $0 | bits[Int(0x41...0x5A ~= $1 ? $1 | 0x20 : $1)] }
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

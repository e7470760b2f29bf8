/// The kind of a letter. Fuzzy matching awards a bonus to a letter at the beginning of a word.
enum LetterKind {
    case space, delimiter, sign, letter, digit

    static let boundary: Int32 = 8

    init<Unit: FixedWidthInteger & UnsignedInteger>(_ unit: Unit) {
        self =
            switch unit {
            case 0x61...0x7A, 0x41...0x5A: .letter
            case 0x30...0x39: .digit
            case 0x20, 0x09...0x0D: .space
            case 0x2F, 0x2C, 0x3A, 0x3B, 0x7C: .delimiter
            case 0..<0x80: .sign
            default: .letter
            }
    }

    /// Returns the bonus for a letter of this kind after a letter of kind `previous`.
    func bonus(after previous: LetterKind) -> Int32 {
        switch (previous, self) {
        case (.space, .letter), (.space, .digit), (_, .space): 10
        case (.delimiter, .letter), (.delimiter, .digit): 9
        case (.sign, .letter), (.sign, .digit), (_, .sign), (_, .delimiter): Self.boundary
        case (.letter, .digit): 7
        default: 0
        }
    }
}

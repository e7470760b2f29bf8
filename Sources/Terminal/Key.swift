/// One press of a key, one paste, or one report of the mouse.
///
/// Control keys come as their lower-case letter with ``Modifiers/control`` (`^R` is `r`), except
/// those that terminals cannot tell from a key of their own: `^I` is Tab, `^M` and `^J` Enter, `^H`
/// Backspace, `^[` Escape. A capital letter is the letter itself, without ``Modifiers/shift``.
public struct Key: Hashable, Sendable {
    /// Which key.
    public enum Code: Hashable, Sendable {
        /// A letter, a digit, a sign, a space; a combining mark comes as a character of its own.
        case character(Character)
        case enter, tab, backTab, escape, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 is 1.
        case function(Int)
        /// A bracketed paste as one text; its lines end in `\n`.
        case paste(String)
        /// A bracketed paste of more than `most` bytes, which was dropped.
        case oversizedPaste(most: Int)
        /// A bracketed paste has begun and made a pause. Input belongs to its text until its end or
        /// a Ctrl-C.
        case unendedPaste
        case mouse(MouseEvent)
        /// A whole sequence that has no meaning here.
        case unknown
    }

    /// The modifiers held down with it, if the terminal reports them.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let shift = Modifiers(rawValue: 1)
        public static let alt = Modifiers(rawValue: 2)
        public static let control = Modifiers(rawValue: 4)
    }

    public var code: Code
    public var modifiers: Modifiers

    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// The text that this key types, if it types any: a character without control and Alt.
    public var typed: Character? {
        guard case .character(let character) = code, modifiers.isSubset(of: .shift) else {
            return nil
        }
        return character
    }
}

/// One press of a key, one paste, or one report of the mouse.
///
/// Control keys arrive as their lower-case letter with ``Modifiers/control`` (`^R` is `r`). The
/// exceptions are those that terminals cannot distinguish from another key: `^I` is Tab, `^M` and
/// `^J` are Enter, `^H` is Backspace, `^[` is Escape. A capital letter arrives as that letter,
/// without ``Modifiers/shift``.
package struct Key: Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// A letter, a digit, a sign or a space. A combining mark arrives as a separate character.
        case character(Character)
        case enter, tab, backTab, escape, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 is 1.
        case function(Int)
        /// A bracketed paste as one text. Its lines end in `\n`.
        case paste(String)
        /// A bracketed paste of more than `most` bytes. Its text was discarded.
        case oversizedPaste(most: Int)
        /// A bracketed paste has begun but its input has stopped. All further input is text of the
        /// paste until its end marker or a Ctrl-C.
        case unterminatedPaste
        case mouse(MouseEvent)
        /// A complete sequence without a meaning in this program.
        case unknown
    }

    /// The modifiers held down with the key, if the terminal reports them.
    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
    }

    package var code: Code
    package var modifiers: Modifiers

    package init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// The text that this key types, or `nil`. Keys that type text are characters without Control
    /// and Alt.
    package var typed: Character? {
        guard case .character(let character) = code, modifiers.isSubset(of: .shift) else {
            return nil
        }
        return character
    }
}

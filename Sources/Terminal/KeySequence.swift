/// The meanings of complete key sequences. Covers xterm and compatible terminals, rxvt, the Linux
/// console, tmux, and `CSI u` (fixterms, kitty, xterm's modifyOtherKeys).
///
/// Source: xterm's ctlseqs.txt, rxvt's reference, console_codes(4), and terminfo.
enum KeySequence {
    /// Decodes `CSI parameters final`. Returns `nil` for sequences to ignore: the release of a key,
    /// and a mouse report that has no meaning here or a form that the program did not request.
    static func csi(parameters: [UInt8], final: UInt8) -> Key? {
        if let first = parameters.first, 0x3c...0x3f ~= first {
            let isMouse = first == 0x3c && (final == 0x4d || final == 0x6d)
            return isMouse ? Key(sgrMouse: parameters, final: final) : Key(.unknown)
        }
        guard !isRelease(parameters) else { return nil }
        let numbers = numbers(in: parameters)
        let number = numbers.first ?? 0
        switch Character(Unicode.Scalar(final)) {
        case "M": return nil
        case "~":
            if number == 27, numbers.count >= 3 {
                return typed(numbers[2], modifiers(numbers[1]))
            }
            return editing(number, modifiers(numbers.count > 1 ? numbers[1] : 1))
        case "^": return editing(number, .control)
        case "$": return editing(number, .shift)
        case "@": return editing(number, [.control, .shift])
        case "u": return typed(number, modifiers(numbers.count > 1 ? numbers[1] : 1))
        case "a", "b", "c", "d": return named(final - 0x20, .shift)
        default:
            // A single number is a modifier too: `CSI 5 A` of old xterms.
            return named(final, modifiers(numbers.last ?? 1))
        }
    }

    /// Decodes `SS3 final`, with the modifier that some terminals put between the two.
    static func ss3(parameters: [UInt8], final: UInt8) -> Key {
        let modifiers = modifiers(numbers(in: parameters).last ?? 1)
        switch final {
        case 0x61...0x64: return named(final - 0x20, .control)
        case 0x4d: return Key(.enter, modifiers)
        case 0x49: return Key(.tab, modifiers)
        case 0x20: return Key(.character(" "), modifiers)
        case 0x58: return Key(.character("="), modifiers)
        // The keypad in application mode sends `*` to `9` as their ASCII codes plus 0x40.
        case 0x6a...0x79: return Key(.character(Character(Unicode.Scalar(final - 0x40))), modifiers)
        default: return named(final, modifiers)
        }
    }

    /// Decodes `CSI [ letter`, the keys F1 to F5 of the Linux console.
    static func linuxConsole(_ final: UInt8) -> Key {
        0x41...0x45 ~= final ? Key(.function(Int(final) - 0x40)) : Key(.unknown)
    }

    /// Decodes a control byte: 0x00 to 0x1f without ESC, and 0x7f.
    static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x00: Key(.character(" "), .control)
        case 0x08, 0x7f: Key(.backspace)
        case 0x09: Key(.tab)
        case 0x0a, 0x0d: Key(.enter)
        case 0x01...0x1a: Key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
        default: Key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
        }
    }

    private static func named(_ final: UInt8, _ modifiers: Key.Modifiers) -> Key {
        let code: Key.Code =
            switch Character(Unicode.Scalar(final)) {
            case "A": .up
            case "B": .down
            case "C": .right
            case "D": .left
            case "F": .end
            case "H": .home
            case "P": .function(1)
            case "Q": .function(2)
            case "R": .function(3)
            case "S": .function(4)
            case "Z": .backTab
            default: .unknown
            }
        switch code {
        case .unknown: return Key(.unknown)
        case .backTab: return Key(.backTab, modifiers.subtracting(.shift))
        default: return Key(code, modifiers)
        }
    }

    private static func editing(_ number: Int, _ modifiers: Key.Modifiers) -> Key {
        let code: Key.Code =
            switch number {
            case 1, 7: .home
            case 2: .insert
            case 3: .delete
            case 4, 8: .end
            case 5: .pageUp
            case 6: .pageDown
            case 11...15: .function(number - 10)
            case 17...21: .function(number - 11)
            case 23...26: .function(number - 12)
            case 28, 29: .function(number - 13)
            case 31...34: .function(number - 14)
            default: .unknown
            }
        return code == .unknown ? Key(.unknown) : Key(code, modifiers)
    }

    /// Returns the key that types a given code point.
    private static func typed(_ value: Int, _ modifiers: Key.Modifiers) -> Key {
        switch value {
        case 9:
            return modifiers.contains(.shift)
                ? Key(.backTab, modifiers.subtracting(.shift)) : Key(.tab, modifiers)
        case 13: return Key(.enter, modifiers)
        case 27: return Key(.escape, modifiers)
        case 8, 127: return Key(.backspace, modifiers)
        // Kitty assigns private-use code points to keys that type no text.
        case 0xe000...0xf8ff: return Key(.unknown)
        default: break
        }
        guard value >= 0x20, let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else {
            return Key(.unknown)
        }
        var modifiers = modifiers
        var character = Character(scalar)
        if modifiers.contains(.control) {
            character = character.lowercased().first ?? character
        } else if modifiers.contains(.shift) {
            let capital = character.uppercased()
            if capital.count == 1, let only = capital.first { character = only }
            modifiers.remove(.shift)
        }
        return Key(.character(character), modifiers)
    }

    /// Decodes xterm's modifier number: 1 plus one bit each for Shift, Alt, Control and Meta. Meta
    /// counts as Alt.
    private static func modifiers(_ number: Int) -> Key.Modifiers {
        let bits = number > 0 ? number - 1 : 0
        var modifiers: Key.Modifiers = []
        if bits & 1 != 0 { modifiers.insert(.shift) }
        if bits & 10 != 0 { modifiers.insert(.alt) }
        if bits & 4 != 0 { modifiers.insert(.control) }
        return modifiers
    }

    /// Returns true for the release of a key, which the kitty protocol marks in the modifiers:
    /// `1:3`.
    private static func isRelease(_ parameters: [UInt8]) -> Bool {
        let fields = parameters.split(separator: 0x3b, omittingEmptySubsequences: false)
        return fields.count > 1 && fields[1].split(separator: 0x3a).dropFirst().first == [0x33]
    }

    /// Returns the first number of each field. Semicolons separate fields, colons separate numbers
    /// within a field, and an empty number is 1.
    private static func numbers(in parameters: [UInt8]) -> [Int] {
        guard !parameters.isEmpty else { return [] }
        return parameters.split(separator: 0x3b, omittingEmptySubsequences: false).map { field in
            let digits = field.prefix { $0 != 0x3a }
            return digits.isEmpty ? 1 : Int(String(decoding: digits, as: UTF8.self)) ?? 0
        }
    }
}

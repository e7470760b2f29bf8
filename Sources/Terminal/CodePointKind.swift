/// The way in which a code point takes columns of a terminal.
///
/// There are two sources, each with its own version of Unicode. The properties of the standard
/// library and its division into characters (Swift 6.3: 17.0) decide which code points belong
/// together and which are invisible. The tables of ``CodePointRanges`` decide which code points
/// take two columns. The tables are of an older version, as most terminals are.
/// Tests/torture/alignment compares both with tmux and xterm.
enum CodePointKind {
    /// C0, DEL, C1 and the separators of lines and paragraphs.
    case control
    /// Invisible, or drawn differently by every terminal: format characters, bidi controls,
    /// joiners, variation selectors, tags, fillers, emoji of the future.
    case invisible
    /// Half of a flag.
    case regionalIndicator
    /// A combining mark, drawn on the code point before it.
    case mark
    /// A code point that belongs to the one before it but takes its own column: vowel signs, Thai
    /// and Lao AM, the half-width signs of voiced kana.
    case spacing
    /// A code point that belongs to the one before it, which determines the columns: vowels and
    /// final consonants of Korean, its tone marks, skin tones.
    case joining
    /// Two columns.
    case wide
    /// One column.
    case narrow

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20..<0x7f: self = .narrow
        case 0..<0xa0: self = .control
        case 0xad: self = .invisible
        case ..<0x300, 0x370..<0x483: self = .narrow
        // The ranges of arrows, mathematics and box drawing up to U+25FC contain no marks, and no
        // wide characters except the clocks.
        case 0x20a0..<0x20d0, 0x2100..<0x231a, 0x2400..<0x25fd: self = .narrow
        case 0x3041...0x3096, 0x30a1...0x30fa, 0x4e00...0x9fff, 0xac00...0xd7a3: self = .wide
        case 0x1f1e6...0x1f1ff: self = .regionalIndicator
        default: self = Self.lookedUp(scalar)
        }
    }

    private static func lookedUp(_ scalar: Unicode.Scalar) -> CodePointKind {
        let properties = scalar.properties
        // The category is checked first, because each further property costs as much again.
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark:
            return properties.isDefaultIgnorableCodePoint ? .invisible : .mark
        case .format: return .invisible
        case .lineSeparator, .paragraphSeparator, .control: return .control
        case .otherLetter:
            // The Hangul fillers are the only invisible letters.
            if [0x115f, 0x1160, 0x3164, 0xffa0].contains(scalar.value) { return .invisible }
            if let kind = Self.joining(scalar.value) { return kind }
        case .spacingMark, .modifierLetter, .modifierSymbol:
            if let kind = Self.joining(scalar.value) { return kind }
        case .otherSymbol:
            if CodePointRanges.futureEmoji.contains(scalar.value) { return .invisible }
        case .unassigned:
            if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
                || CodePointRanges.futureEmoji.contains(scalar.value)
            {
                return .invisible
            }
        default: break
        }
        return CodePointRanges.wide.contains(scalar.value) ? .wide : .narrow
    }

    /// Returns the kind of a code point that extends the one before it, or `nil` for other code
    /// points.
    private static func joining(_ value: UInt32) -> CodePointKind? {
        guard CodePointRanges.joining.contains(value) else { return nil }
        switch value {
        // Korean; the reading marks of Vietnamese Han, two columns wide; skin tones.
        case 0x1160...0x11ff, 0xd7b0...0xd7fb, 0x302e...0x302f, 0x16ff0...0x16ff1,
            0x1f3fb...0x1f3ff:
            return .joining
        default: return .spacing
        }
    }
}

/// What a code point does to the columns of a terminal.
///
/// Two sources with a version of Unicode each: the standard library's properties and its division
/// into characters (Swift 6.3: 17.0), which say what belongs together and what is not seen, and
/// ``CodePointRanges``'s own tables, which say what takes two columns. The latter are the older
/// ones, as terminals are; Tests/torture/alignment compares both with tmux and xterm.
enum CodePointKind {
    /// C0, DEL, C1 and the separators of lines and paragraphs.
    case control
    /// Nothing to see, or nothing to rely on: format characters, bidi controls, joiners, variation
    /// selectors, tags, fillers, signs that belong to what follows, emoji of the future.
    case invisible
    /// Half of a flag.
    case regionalIndicator
    /// Drawn on the code point before it.
    case mark
    /// Belongs to the code point before it, and takes columns by what that is: vowel signs, vowels
    /// and final consonants of Korean, skin tones.
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
        // Arrows, mathematics and box drawing have neither marks nor wide ones up to U+25FC but for
        // the clocks.
        case 0x20a0..<0x20d0, 0x2100..<0x231a, 0x2400..<0x25fd: self = .narrow
        case 0x3041...0x3096, 0x30a1...0x30fa, 0x4e00...0x9fff, 0xac00...0xd7a3: self = .wide
        case 0x1f1e6...0x1f1ff: self = .regionalIndicator
        default: self = Self.lookedUp(scalar)
        }
    }

    private static func lookedUp(_ scalar: Unicode.Scalar) -> CodePointKind {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint {
            return .invisible
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return .mark
        case .format: return .invisible
        case .lineSeparator, .paragraphSeparator, .control: return .control
        case .spacingMark, .modifierLetter, .modifierSymbol, .otherLetter:
            if CodePointRanges.joining.contains(scalar.value) { return .joining }
            if CodePointRanges.prepended.contains(scalar.value) { return .invisible }
        case .otherSymbol, .unassigned:
            if CodePointRanges.futureEmoji.contains(scalar.value) { return .invisible }
        default: break
        }
        return CodePointRanges.wide.contains(scalar.value) ? .wide : .narrow
    }
}

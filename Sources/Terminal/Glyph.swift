/// The form of one character in a terminal: code points that are safe to send, and the columns that
/// they take.
package struct Glyph: Hashable, Sendable {
    /// The text to send, without control characters, bidi controls and joiners.
    package let text: String
    /// The number of columns: 1 or 2, and one more for each part after the first.
    package let columns: Int
    /// The glyphs that this glyph consists of, each in its own columns. Empty if it is a single
    /// one.
    let parts: [Glyph]

    /// Creates the glyph of `character` by the rules of ``DisplayText``.
    package init(_ character: Character) {
        let scalars = character.unicodeScalars
        // A character has at least one code point.
        let first = scalars.first ?? "\u{fffd}"
        self = scalars.dropFirst().isEmpty ? Glyph(alone: first) : Glyph(cluster: scalars[...])
    }

    init(_ text: String, columns: Int) {
        self.text = text
        self.columns = columns
        parts = []
    }

    /// Creates a glyph of several parts.
    private init(parts: [Glyph]) {
        text = parts.reduce(into: "") { $0 += $1.text }
        columns = parts.reduce(0) { $0 + $1.columns }
        self.parts = parts.count > 1 ? parts : []
    }
}

extension Glyph {
    /// The maximum number of marks that are drawn. ncurses keeps four beside the base, and most
    /// terminals fewer.
    static let maximumMarks = 4

    /// The replacement of a character that is invisible or unsafe to send.
    static let replacement = Glyph("\u{fffd}", columns: 1)

    private static let lineFeed = Glyph("\u{240a}", columns: 1)

    /// The replacement of a missing base of a mark.
    private static let missingBase = Glyph("\u{25cc}", columns: 1)

    private init(alone scalar: Unicode.Scalar) {
        switch CodePointKind(scalar) {
        case .narrow: self.init(String(scalar), columns: 1)
        case .wide: self.init(String(scalar), columns: 2)
        case .mark: self.init("\u{25cc}" + String(scalar), columns: 1)
        case .spacing: self.init(parts: [.missingBase, Glyph(String(scalar), columns: 1)])
        // Alone, the code point would join the character before it.
        case .joining: self = .missingBase
        case .regionalIndicator: self.init(Glyph.letter(scalar), columns: 1)
        case .invisible: self = scalar == "\u{ad}" ? Glyph("-", columns: 1) : .replacement
        case .control: self = Glyph(control: scalar)
        }
    }

    private init(control scalar: Unicode.Scalar) {
        switch scalar.value {
        case ..<0x20: self.init(String(Self.scalar(0x2400 + scalar.value)), columns: 1)
        case 0x7f: self.init("\u{2421}", columns: 1)
        case 0x2028, 0x2029: self = .lineFeed
        default: self = .replacement
        }
    }

    /// Creates the glyph of a character with more than one code point.
    private init(cluster: Substring.UnicodeScalarView) {
        var scalars = cluster.drop { CodePointKind($0) == .invisible }
        guard let first = scalars.popFirst() else {
            self = .replacement
            return
        }
        guard let second = scalars.first else {
            self.init(alone: first)
            return
        }
        switch CodePointKind(first) {
        case .control:
            // CR LF is the only such character.
            self = .lineFeed
        case .regionalIndicator:
            let isFlag = CodePointKind(second) == .regionalIndicator
            self.init(
                Self.letter(first) + (isFlag ? Self.letter(second) : ""), columns: isFlag ? 2 : 1)
        case .mark, .spacing:
            self.init("\u{25cc}", [first] + scalars, columns: 1)
        case .joining: self = .missingBase
        case .wide:
            let (base, rest) = Self.composedHangul(first, scalars)
            guard !Self.isLeadingJamo(base) else {
                // A leading consonant without a vowel would join the next character.
                self.init("\u{3013}", columns: 2)
                return
            }
            self.init(base, Array(rest), columns: 2)
        case .narrow, .invisible:
            self.init(first, Array(scalars), columns: 1)
        }
    }

    /// Creates a base of `columns` columns with its marks, followed by a column for each vowel sign
    /// and each further consonant. For an emoji with a ZWJ, VS16 or skin tone only the base is
    /// drawn, because terminals disagree about the width of the rest.
    private init(_ base: Unicode.Scalar, _ rest: [Unicode.Scalar], columns: Int) {
        var texts = [String(base)]
        var marks = 0
        for scalar in rest {
            let last = texts.count - 1
            switch CodePointKind(scalar) {
            case .mark:
                marks += 1
                if marks <= Self.maximumMarks { texts[last].unicodeScalars.append(scalar) }
            case .spacing, .narrow:
                marks = 0
                texts.append(String(scalar))
            case .invisible where scalar == "\u{200c}":
                // ZWNJ separates two consonants that the sign between them would join.
                texts[last].unicodeScalars.removeTrailingViramas()
            case .invisible
            where scalar != "\u{fe0f}"
                && (scalar != "\u{200d}" || !rest.contains(where: \.isPictograph)):
                continue
            default:
                self.init(String(base), columns: columns)
                return
            }
        }
        self.init(
            parts: texts.enumerated().map { Glyph($1, columns: $0 == 0 ? columns : 1) })
    }

    /// Composes the letters of a decomposed Korean syllable, the form that macOS writes in file
    /// names, because terminals have one glyph for the syllable. Algorithm of The Unicode Standard,
    /// section 3.12.
    private static func composedHangul(
        _ first: Unicode.Scalar, _ rest: Substring.UnicodeScalarView
    ) -> (Unicode.Scalar, Substring.UnicodeScalarView) {
        var syllable = first.value
        var rest = rest
        if 0x1100...0x1112 ~= syllable, let vowel = rest.first?.value, 0x1161...0x1175 ~= vowel {
            syllable = 0xac00 + ((syllable - 0x1100) * 21 + vowel - 0x1161) * 28
            rest.removeFirst()
        }
        if 0xac00...0xd7a3 ~= syllable, (syllable - 0xac00) % 28 == 0,
            let tail = rest.first?.value, 0x11a8...0x11c2 ~= tail
        {
            syllable += tail - 0x11a7
            rest.removeFirst()
        }
        return (scalar(syllable), rest)
    }

    /// Returns true if `scalar` is a leading consonant of modern or old Korean.
    private static func isLeadingJamo(_ scalar: Unicode.Scalar) -> Bool {
        0x1100...0x115f ~= scalar.value || 0xa960...0xa97c ~= scalar.value
    }

    /// Returns the ASCII letter of half a flag.
    private static func letter(_ indicator: Unicode.Scalar) -> String {
        String(scalar(indicator.value - 0x1f1e6 + 0x41))
    }

    private static func scalar(_ value: UInt32) -> Unicode.Scalar {
        Unicode.Scalar(value) ?? "\u{fffd}"
    }
}

extension Unicode.Scalar {
    /// True for an emoji outside ASCII and Latin-1. Digits and signs that Unicode counts as emoji
    /// are excluded.
    fileprivate var isPictograph: Bool { value > 0xff && properties.isEmoji }
}

extension String.UnicodeScalarView {
    /// Removes trailing viramas, which join two consonants, but keeps the first code point.
    fileprivate mutating func removeTrailingViramas() {
        while count > 1, last?.properties.canonicalCombiningClass == .virama { removeLast() }
    }
}

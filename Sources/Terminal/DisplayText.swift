/// The conversion of stored text into text that is safe to send to a terminal, and the measurement
/// of its width. No other code does either.
///
/// Every character (grapheme) of a text becomes exactly one ``Glyph`` of one or more columns. So a
/// caret between two characters always has a position on the screen and moves with every step. The
/// stored text does not change.
///
/// | character | drawn as |
/// |---|---|
/// | C0, DEL | the symbols of U+2400: `␉`, `␛`, `␡`; a line feed, CR LF, U+2028 and U+2029 `␊` |
/// | C1, bidi controls, other invisible characters that stand alone, noncharacters | `�` |
/// | soft hyphen | `-` |
/// | invisible characters within a grapheme | omitted |
/// | an emoji with ZWJ, VS16 or a skin tone | its first code point alone |
/// | a vowel sign that takes a column, a consonant after a virama | in the next column |
/// | a flag | its two letters |
/// | combining marks | on their base, four at most; on `◌` where there is none |
/// | a vowel sign without a base | after `◌` |
/// | Korean vowels and ends of syllables, skin tones, that have no base | `◌` |
/// | an emoji that is newer than the tables | `�` |
/// | a decomposed Korean syllable | the syllable; `〓` for one of old Korean |
///
/// The result contains no control character, no bidi control and no joiner, and no glyph joins its
/// neighbor. Converting it again gives the same text in the same columns. Costs O(n) in the
/// characters read, and little for ASCII.
package enum DisplayText {
    /// Returns the glyphs of `text`, one for each of its characters.
    package static func glyphs(of text: some Sequence<Character>) -> [Glyph] {
        text.map { Glyph($0) }
    }

    /// Returns the columns that `text` takes. It also accepts a part of a text, such as
    /// `text.prefix(caret)`.
    package static func width(of text: String) -> Int {
        let length = plainLength(of: text)
        let rest = text[text.utf8.index(text.startIndex, offsetBy: length)...]
        return length + width(of: rest)
    }

    /// Returns the columns that `text` takes, or `columns` if it takes more. O(columns),
    /// independent of the text's length.
    package static func width(of text: String, upTo columns: Int) -> Int {
        var used = plainLength(of: text, upTo: max(columns, 0))
        for character in text[text.utf8.index(text.startIndex, offsetBy: used)...] {
            guard used < columns else { break }
            used += self.columns(of: character)
        }
        return min(used, columns)
    }

    /// Returns the sum of the columns that each character takes by itself.
    package static func width(of characters: some Sequence<Character>) -> Int {
        characters.reduce(0) { $0 + columns(of: $1) }
    }

    /// Returns the columns that one character takes.
    package static func columns(of character: Character) -> Int {
        character.isASCII ? 1 : Glyph(character).columns
    }

    /// Returns `text` in a form that is safe for a terminal, including standard error: the joined
    /// glyphs.
    package static func sanitized(_ text: String) -> String {
        if plainLength(of: text) == text.utf8.count { return text }
        return text.reduce(into: "") { $0 += Glyph($1).text }
    }

    /// Returns `text` in a form that is safe for a terminal, in at most `columns` columns. A longer
    /// text is cut and ends in `…`.
    package static func truncated(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        var used = plainLength(of: text, upTo: columns)
        let plain = text.utf8.index(text.startIndex, offsetBy: used)
        guard plain < text.endIndex else { return text }
        guard used < columns else { return text[..<text.utf8.index(before: plain)] + "…" }
        var result = String(text[..<plain])
        // The end of the text if it is too long, since the ellipsis needs a column.
        var cut = result.endIndex
        for character in text[plain...] {
            let glyph = Glyph(character)
            guard used + glyph.columns <= columns else { return result[..<cut] + "…" }
            result += glyph.text
            used += glyph.columns
            if used < columns { cut = result.endIndex }
        }
        return result
    }

    /// Returns a sentence in the form of ``truncated(_:to:)``, but cut after a word, unless the
    /// last word is longer than half of the result.
    package static func truncatedAfterWord(_ text: String, to columns: Int) -> String {
        let cut = truncated(text, to: columns).unicodeScalars
        let whole = sanitized(text).unicodeScalars
        guard !cut.isEmpty, !cut.elementsEqual(whole) else { return String(cut) }
        let kept = cut.dropLast()
        guard whole.dropFirst(kept.count).first != " ",
            let space = kept.lastIndex(of: " "),
            kept.distance(from: kept.startIndex, to: space) * 2 >= kept.count
        else { return String(cut) }
        return String(kept[..<space]) + "…"
    }

    /// Returns the number of leading characters that fit into `columns` columns. This is the
    /// position of a click or of a scrolled caret.
    package static func count(of characters: some Sequence<Character>, within columns: Int) -> Int {
        var used = 0
        var count = 0
        for character in characters {
            used += self.columns(of: character)
            if used > columns { break }
            count += 1
        }
        return count
    }

    /// Returns the number of bytes at the start of `text`, at most `most`, that are one character
    /// and one column each. These are printable ASCII. If another character follows, the last
    /// letter before it is excluded, since the character may be a mark on that letter.
    static func plainLength(of text: String, upTo most: Int = .max) -> Int {
        var count = 0
        for byte in text.utf8 {
            guard isPrintableASCII(byte) else { return max(count - 1, 0) }
            guard count < most else { return most }
            count += 1
        }
        return count
    }

    private static func isPrintableASCII(_ byte: UInt8) -> Bool { 0x20 <= byte && byte < 0x7f }
}

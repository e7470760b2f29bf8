/// One column of one row: a character and its style.
///
/// It holds code points and not a text: a canvas of thousands of cells is created, compared and
/// dropped for every frame, without counting references.
public struct Cell: Hashable, Sendable {
    /// The code points after the first, 0 where there are no more.
    private var marks: SIMD4<UInt32> = .zero
    /// The first code point, or 0 in the second column of a wide glyph.
    private var base: UInt32
    public var style: Style
    private var width: UInt8

    /// Draws `glyph`; a wide one is followed by ``init(continuing:)``.
    public init(_ glyph: Glyph, style: Style = .standard) {
        var scalars = glyph.text.unicodeScalars.makeIterator()
        base = scalars.next()?.value ?? 0x20
        // A glyph has no more than these.
        for index in marks.indices {
            guard let mark = scalars.next() else { break }
            marks[index] = mark.value
        }
        width = UInt8(clamping: glyph.columns)
        self.style = style
    }

    /// The second column of a wide glyph.
    public init(continuing style: Style) {
        base = 0
        width = 0
        self.style = style
    }

    /// A space.
    public init(blank style: Style = .standard) {
        self.init(ascii: 0x20, style: style)
    }

    init(ascii byte: UInt8, style: Style) {
        base = UInt32(byte)
        width = 1
        self.style = style
    }

    /// How many columns the glyph takes that begins here: 1 or 2; 0 in the second column of a wide
    /// one.
    public var columns: Int { Int(width) }

    /// The text to send for it; empty in the second column of a wide glyph.
    public var text: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: codePoints.compactMap { Unicode.Scalar($0) })
        return text
    }

    /// The code points of ``text``.
    var codePoints: [UInt32] {
        guard base > 0 else { return [] }
        return [base] + marks.indices.map { marks[$0] }.prefix { $0 > 0 }
    }

    /// The cell's text if it is one printable ASCII character.
    var asciiByte: UInt8? {
        0x20 <= base && base < 0x7f && marks[0] == 0 ? UInt8(base) : nil
    }
}

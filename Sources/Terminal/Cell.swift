/// The content and style of one column of one row.
///
/// A cell holds code points instead of a string. A canvas has thousands of cells, which are made,
/// compared and dropped for every frame, and code points need no reference counting.
package struct Cell: Hashable, Sendable {
    /// The code points after the first, padded with 0.
    private var marks: SIMD4<UInt32> = .zero
    /// The first code point, or 0 in the second column of a wide glyph.
    private var base: UInt32
    package var style: Style
    private var width: UInt8

    /// Creates the first column of `glyph`. After a wide glyph, the next cell is
    /// ``init(continuing:)``.
    package init(_ glyph: Glyph, style: Style = .standard) {
        var scalars = glyph.text.unicodeScalars.makeIterator()
        base = scalars.next()?.value ?? 0x20
        // A glyph has at most this number of marks.
        for index in marks.indices {
            guard let mark = scalars.next() else { break }
            marks[index] = mark.value
        }
        width = UInt8(clamping: glyph.columns)
        self.style = style
    }

    /// Creates the second column of a wide glyph.
    package init(continuing style: Style) {
        base = 0
        width = 0
        self.style = style
    }

    /// Creates a space.
    package init(blank style: Style = .standard) {
        self.init(ascii: 0x20, style: style)
    }

    init(ascii byte: UInt8, style: Style) {
        base = UInt32(byte)
        width = 1
        self.style = style
    }

    /// The number of columns of the glyph that begins here: 1 or 2, or 0 in the second column of a
    /// wide glyph.
    package var columns: Int { Int(width) }

    /// The text to send to the terminal. Empty in the second column of a wide glyph.
    package var text: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: codePoints.compactMap { Unicode.Scalar($0) })
        return text
    }

    /// The code points of ``text``.
    var codePoints: [UInt32] {
        guard base > 0 else { return [] }
        return [base] + marks.indices.map { marks[$0] }.prefix { $0 > 0 }
    }

    /// The cell's text if it is one printable ASCII character, else `nil`.
    var asciiByte: UInt8? {
        0x20 <= base && base < 0x7f && marks[0] == 0 ? UInt8(base) : nil
    }
}

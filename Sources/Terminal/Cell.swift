/// One column of one row: what is drawn in it, and how.
public struct Cell: Hashable, Sendable {
    /// The text to send for it; empty in the second column of a wide glyph.
    public private(set) var text: String
    private var width: UInt8
    public var style: Style

    /// Draws `glyph`; a wide one is followed by ``init(continuing:)``.
    public init(_ glyph: Glyph, style: Style = .standard) {
        text = glyph.text
        width = UInt8(clamping: glyph.columns)
        self.style = style
    }

    /// The second column of a wide glyph.
    public init(continuing style: Style) {
        text = ""
        width = 0
        self.style = style
    }

    /// A space.
    public init(blank style: Style = .standard) {
        text = " "
        width = 1
        self.style = style
    }

    init(ascii byte: UInt8, style: Style) {
        text = String(Unicode.Scalar(byte))
        width = 1
        self.style = style
    }

    /// How many columns the glyph takes that begins here: 1 or 2; 0 in the second column of a wide
    /// one.
    public var columns: Int { Int(width) }
}

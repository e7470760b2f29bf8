/// A colour by its number in the terminal, so that the user's theme decides how it looks.
public enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case standard
    /// One of the 256: 0-7 the ANSI colours, 8-15 their bright forms, 16-231 a cube, 232-255 greys.
    /// A terminal with fewer shows the nearest that it has.
    case palette(UInt8)

    public static let black = Color.palette(0)
    public static let red = Color.palette(1)
    public static let green = Color.palette(2)
    public static let yellow = Color.palette(3)
    public static let blue = Color.palette(4)
    public static let magenta = Color.palette(5)
    public static let cyan = Color.palette(6)
    public static let white = Color.palette(7)
}

/// How letters are drawn, besides their colours. Terminals ignore what they lack.
public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let italic = Attributes(rawValue: 4)
    public static let underline = Attributes(rawValue: 8)
    public static let reverse = Attributes(rawValue: 16)
    /// Drawn as dim: ncurses has no attribute for a line through the letters.
    public static let strikethrough = Attributes(rawValue: 32)
}

/// The colours and attributes of one cell.
public struct Style: Hashable, Sendable {
    public var foreground: Color
    public var background: Color
    public var attributes: Attributes

    public init(
        foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours, nothing else.
    public static let standard = Style()
}

extension Style: CustomStringConvertible {
    /// The style in words, for the legend of a golden file: `bold reverse fg=4 bg=8`.
    public var description: String {
        var words: [String] = []
        let names: [(Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
            (.reverse, "reverse"), (.strikethrough, "strikethrough"),
        ]
        for (attribute, name) in names where attributes.contains(attribute) { words.append(name) }
        if case .palette(let number) = foreground { words.append("fg=\(number)") }
        if case .palette(let number) = background { words.append("bg=\(number)") }
        return words.isEmpty ? "standard" : words.joined(separator: " ")
    }
}

/// A color by its number in the terminal.
package enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case standard
    /// One of 256 colors: 0-7 the ANSI colors, 8-15 their bright forms, 16-231 a cube, 232-255
    /// greys. A terminal with fewer colors shows the nearest one.
    case palette(UInt8)

    // These are colors of the cube, which themes do not replace. Each has a contrast of 3 : 1 or
    // more with black and with white (WCAG 2.2, 1.4.3). A terminal with fewer colors shows its own
    // color of that name.
    package static let red = Color.palette(160)
    package static let green = Color.palette(28)
    package static let yellow = Color.palette(136)
    package static let blue = Color.palette(26)
    package static let magenta = Color.palette(163)
    package static let cyan = Color.palette(30)
    /// The color of dim text on terminals with 256 colors, with the same contrast.
    static let grey = Color.palette(244)
    /// The background of a selected row.
    package static let tint = Color.palette(238)

    /// The light form of a named color, with a contrast of 3 : 1 or more with ``tint``, or `nil`
    /// for another color.
    package var onTint: Color? {
        switch self {
        case .red: .palette(203)
        case .green: .palette(114)
        case .yellow: .palette(220)
        case .blue: .palette(111)
        case .magenta: .palette(213)
        case .cyan: .palette(80)
        default: nil
        }
    }
}

/// The attributes of text other than color. Terminals ignore attributes that they do not support.
package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    package static let reverse = Attributes(rawValue: 16)
    /// Drawn as dim, since ncurses has no strikethrough attribute.
    package static let strikethrough = Attributes(rawValue: 32)
}

extension Color {
    /// The color in xterm's palette, 0 to 255 each, or `nil` for the terminal's own.
    var components: (red: Int, green: Int, blue: Int)? {
        guard case .palette(let number) = self else { return nil }
        let value = Int(number)
        switch value {
        case 7: return (229, 229, 229)
        case 8: return (127, 127, 127)
        case 0..<16:
            let level = value < 8 ? 205 : 255
            return (
                value & 1 != 0 ? level : 0, value & 2 != 0 ? level : 0, value & 4 != 0 ? level : 0
            )
        case 232...:
            let grey = 8 + (value - 232) * 10
            return (grey, grey, grey)
        default:
            let cube = value - 16
            let level = { (step: Int) in step == 0 ? 0 : 55 + step * 40 }
            return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
    }
}

/// The colors and attributes of one cell.
package struct Style: Hashable, Sendable {
    package var foreground: Color
    package var background: Color
    package var attributes: Attributes

    package init(
        foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colors without attributes.
    package static let standard = Style()
}

extension Style: CustomStringConvertible {
    /// The style in words, for the legend of a golden file: `bold reverse fg=4 bg=8`.
    package var description: String {
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

extension Style {
    /// Returns the parameters of ECMA-48's "select graphic rendition" for a terminal with `colors`
    /// colors (0: none), or `nil` for plain text.
    package func graphicRendition(colors: Int) -> String? {
        var pairs = ColorPairs(colors: colors, hasDefault: true, capacity: 2)
        let (_, attributes, definition) = pairs.pair(for: self)
        let codes: [(Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
        ]
        var parameters = codes.filter { attributes.contains($0.0) }.map { $0.1 }
        for (number, base) in [(definition?.foreground, 30), (definition?.background, 40)] {
            guard let number, number >= 0 else { continue }
            parameters.append(
                number < 8
                    ? "\(base + number)"
                    : number < 16 ? "\(base + 52 + number)" : "\(base + 8);5;\(number)")
        }
        return parameters.isEmpty ? nil : parameters.joined(separator: ";")
    }
}

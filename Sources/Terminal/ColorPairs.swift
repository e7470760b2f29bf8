/// Reduces styles to what a terminal with a given number of colours can show, and numbers the
/// colour pairs for ncurses.
///
/// With 8 colours bright ones become their dark forms, with bold letters; a colour that the
/// terminal lacks becomes the nearest one it has; without colours only attributes remain. A
/// background that would be lost that way, as dark grey among 8 colours, is told by reversing.
struct ColorPairs {
    /// A pair as ncurses defines it; -1 is the terminal's own colour.
    struct Definition: Hashable {
        var number: Int
        var foreground: Int
        var background: Int
    }

    private let colors: Int
    private let hasDefault: Bool
    private let capacity: Int
    private var numbers: [UInt32: Int] = [:]

    /// Pairs for a terminal with `colors` colours (0: none) and room for `capacity` pairs, the
    /// first of which is the standard one. `hasDefault`: whether it can return to its default
    /// colours.
    init(colors: Int, hasDefault: Bool, capacity: Int) {
        self.colors = colors
        self.hasDefault = hasDefault
        self.capacity = capacity
    }

    /// The number of the pair for `style`, with its definition if it is new, and the attributes to
    /// draw with. When all numbers are used, further styles get the standard pair.
    mutating func pair(
        for style: Style
    ) -> (number: Int, attributes: Attributes, new: Definition?) {
        guard hasBackground(of: style) else {
            return (0, style.attributes.union(.reverse), nil)
        }
        guard colors >= 8, style.foreground != .standard || style.background != .standard else {
            return (0, style.attributes, nil)
        }
        var attributes = style.attributes
        if colors < 16, case .palette(let color) = style.foreground, nearestOf16(color) >= 8 {
            attributes.insert(.bold)
        }
        let foreground = native(style.foreground, standard: 7)
        let background = native(style.background, standard: 0)
        let key = UInt32(foreground + 1) << 16 | UInt32(background + 1)
        if let number = numbers[key] { return (number, attributes, nil) }
        let number = numbers.count + 1
        guard number < capacity else { return (0, attributes, nil) }
        numbers[key] = number
        let definition = Definition(
            number: number, foreground: foreground, background: background)
        return (number, attributes, definition)
    }

    private func hasBackground(of style: Style) -> Bool {
        guard case .palette(let number) = style.background else { return true }
        // Bright black, whose dark form is black.
        return colors >= 16 || colors >= 8 && nearestOf16(number) != 8
    }

    private func native(_ color: Color, standard: Int) -> Int {
        guard case .palette(let number) = color else { return hasDefault ? -1 : standard }
        if colors >= 256 { return Int(number) }
        let near = nearestOf16(number)
        return colors >= 16 ? near : near & 7
    }

    private func nearestOf16(_ number: UInt8) -> Int {
        guard number >= 16 else { return Int(number) }
        let wanted = Self.components(number)
        var best = 0
        var bestDistance = Int.max
        for candidate in 0..<UInt8(16) {
            let have = Self.components(candidate)
            let red = wanted.red - have.red
            let green = wanted.green - have.green
            let blue = wanted.blue - have.blue
            let distance = red * red + green * green + blue * blue
            if distance < bestDistance {
                best = Int(candidate)
                bestDistance = distance
            }
        }
        return best
    }

    /// What xterm shows for a number of its palette, 0 to 255 each.
    private static func components(_ number: UInt8) -> (red: Int, green: Int, blue: Int) {
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

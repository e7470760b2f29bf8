/// A table that reduces styles to the colors that a terminal supports, and numbers the color pairs
/// for ncurses.
///
/// With 8 colors, a bright color becomes its dark form with bold letters. A color that the
/// terminal lacks becomes the nearest available one. Without colors, only attributes remain. If a
/// background would be lost, such as dark grey among 8 colors, the pair is reversed instead. On an
/// approximated background the letters are white, since a color might not be readable on it. Dim
/// text is grey if the terminal has 256 colors.
struct ColorPairs {
    /// A pair in the form that ncurses defines. -1 is the terminal's own color.
    struct Definition: Hashable {
        var number: Int
        var foreground: Int
        var background: Int
    }

    private let colors: Int
    private let hasDefault: Bool
    private let capacity: Int
    private var numbers: [UInt32: Int] = [:]

    /// Creates the pairs for a terminal with `colors` colors (0: none) and room for `capacity`
    /// pairs, the first of which is the standard pair. `hasDefault` is true if the terminal can
    /// return to its default colors.
    init(colors: Int, hasDefault: Bool, capacity: Int) {
        self.colors = colors
        self.hasDefault = hasDefault
        self.capacity = capacity
    }

    /// Returns the number of the pair for `style`, its definition if it is new, and the attributes
    /// to draw with. If all numbers are used, further styles get the standard pair.
    mutating func pair(
        for style: Style
    ) -> (number: Int, attributes: Attributes, new: Definition?) {
        // Dim is nearly invisible on a light background in some terminals.
        if colors >= 256, style.attributes.contains(.dim), style.foreground == .standard,
            style.background == .standard
        {
            return pair(
                for: Style(
                    foreground: .grey, attributes: style.attributes.subtracting(.dim)))
        }
        guard hasBackground(of: style) else {
            return (0, style.attributes.union(.reverse), nil)
        }
        guard colors >= 8, style.foreground != .standard || style.background != .standard else {
            return (0, style.attributes, nil)
        }
        var attributes = style.attributes
        let isTinted = colors < 256 && style.background != .standard
        let letters = isTinted ? .palette(15) : style.foreground
        if colors < 16, case .palette(let color) = letters, nearestOf16(color) >= 8 {
            attributes.insert(.bold)
        }
        let foreground = native(letters, standard: 7)
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
        // With 8 colors, bright black would become black.
        return colors >= 16 || colors >= 8 && nearestOf16(number) != 8
    }

    private func native(_ color: Color, standard: Int) -> Int {
        guard case .palette(let number) = color else { return hasDefault ? -1 : standard }
        if colors >= 256 { return Int(number) }
        let near = nearestOf16(number)
        return colors >= 16 ? near : near & 7
    }

    private func nearestOf16(_ number: UInt8) -> Int {
        guard number >= 16, let wanted = Color.palette(number).components else {
            return Int(number)
        }
        var best = 0
        var bestDistance = Int.max
        for candidate in 0..<UInt8(16) {
            guard let have = Color.palette(candidate).components else { continue }
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
}

extension Canvas {
    /// The text of each row from edge to edge, spaces at its end included.
    public var textRows: [String] {
        (0..<size.rows).map { y in row(y).map(\.text).joined() }
    }

    /// One letter for the style of each cell, by rows: `.` is the standard style, `a` the first
    /// other style found, and so on; ``styleLegend`` explains them.
    public var styleRows: [String] {
        let letters = styleLetters.letters
        return (0..<size.rows).map { y in String(row(y).map { letters[$0.style] ?? "." }) }
    }

    /// The styles in the order of their letters, as `a  bold fg=4`.
    public var styleLegend: [String] {
        let (letters, order) = styleLetters
        return order.map { "\(letters[$0] ?? ".")  \($0)" }
    }

    /// The frame as a golden file keeps it: its size and cursor, the text in a frame, the styles in
    /// a frame, the legend. The same canvas always gives the same text; every line ends in a
    /// visible character.
    public var goldenText: String {
        let shown = cursor.flatMap { bounds.contains($0) ? $0 : nil }
        var lines = [
            "\(size.columns)x\(size.rows), "
                + (shown.map { "cursor at \($0.x),\($0.y)" } ?? "no cursor")
        ]
        let edge = "+" + String(repeating: "-", count: size.columns) + "+"
        lines += [edge] + textRows.map { "|\($0)|" } + [edge]
        lines += ["", edge] + styleRows.map { "|\($0)|" } + [edge]
        lines += styleLegend
        return lines.joined(separator: "\n") + "\n"
    }

    private var styleLetters: (letters: [Style: Character], order: [Style]) {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        var letters: [Style: Character] = [:]
        var order: [Style] = []
        for cell in (0..<size.rows).lazy.flatMap(row) where cell.style != .standard {
            guard letters[cell.style] == nil else { continue }
            // A frame with more styles than letters shows the rest as one.
            letters[cell.style] = order.count < alphabet.count ? alphabet[order.count] : "?"
            order.append(cell.style)
        }
        return (letters, order)
    }
}

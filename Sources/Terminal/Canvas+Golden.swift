extension Canvas {
    /// The text of each row from edge to edge, including trailing spaces.
    package var textRows: [String] {
        (0..<size.rows).map { y in row(y).map(\.text).joined() }
    }

    /// The style of each cell as one letter, by rows. `.` is the standard style, `a` the first
    /// other style found, and so on. ``styleLegend`` explains the letters.
    package var styleRows: [String] {
        let letters = styleLetters.letters
        return (0..<size.rows).map { y in String(row(y).map { letters[$0.style] ?? "." }) }
    }

    /// The styles in the order of their letters, as `a  bold fg=4`.
    package var styleLegend: [String] {
        let (letters, order) = styleLetters
        return order.map { "\(letters[$0] ?? ".")  \($0)" }
    }

    /// The frame in the form of a golden file: its size and cursor, the text in a frame, the styles
    /// in a frame, the legend. Equal canvases give equal texts, and every line ends in a visible
    /// character.
    package var goldenText: String {
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
            // If a frame has more styles than letters, the remaining styles share one letter.
            letters[cell.style] = order.count < alphabet.count ? alphabet[order.count] : "?"
            order.append(cell.style)
        }
        return (letters, order)
    }
}

import Terminal

/// A text of a row in which the letters that a query found stand out.
struct MarkedText {
    private let text: String
    /// Empty if nothing was found: the rest of an enormous name is then never looked at.
    private let characters: [Character]
    private let found: [Bool]
    private let showsFound: Bool

    /// - Parameters:
    ///   - found: says of each character whether it was found; empty if none was.
    ///   - showsFound: whether a text that is too long is cut so that what was found shows, or at
    ///     its end whatever was found.
    init(_ text: String, found: [Bool], showsFound: Bool) {
        self.text = text
        self.found = found
        self.showsFound = showsFound
        characters = found.isEmpty ? [] : Array(text)
    }

    /// Draws as much as has room in `columns`, and returns the columns used. O(columns) if nothing
    /// was found, and O(text) if something was.
    func draw(in columns: Int, at point: Point, style: Style, on canvas: inout Canvas) -> Int {
        guard columns > 0 else { return 0 }
        guard !found.isEmpty else {
            return canvas.put(DisplayText.truncated(text, to: columns), at: point, style: style)
        }
        let start = showsFound ? firstShown(in: columns) : 0
        let rest = String(characters[start...])
        let text = DisplayText.truncated(start > 0 ? "…" + rest : rest, to: columns)
        let isCut = DisplayText.width(of: rest) + (start > 0 ? 1 : 0) > columns
        let used = canvas.put(text, at: point, style: style)
        var x = start > 0 ? 1 : 0
        for (character, isFound) in zip(characters[start...], found[start...]) {
            let width = DisplayText.columns(of: character)
            guard x + width <= used - (isCut ? 1 : 0) else { break }
            if isFound {
                canvas.put(
                    String(character), at: Point(x: point.x + x, y: point.y),
                    style: Theme.found(style))
            }
            x += width
        }
        return used
    }

    /// The first character that shows: where what was found lies beyond the end, the beginning
    /// gives way to it.
    private func firstShown(in columns: Int) -> Int {
        guard let last = found.lastIndex(of: true),
            DisplayText.width(of: characters[...last]) + (last + 1 < characters.count ? 1 : 0)
                > columns
        else { return 0 }
        // An ellipsis at either end.
        var room = columns - 2
        var start = last + 1
        while start > 0 {
            room -= DisplayText.columns(of: characters[start - 1])
            guard room >= 0 else { break }
            start -= 1
        }
        return min(start, last)
    }
}

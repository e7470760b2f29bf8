import Terminal

/// A name in which the letters that a query found stand out, and which is cut so that they show.
struct MarkedName {
    private let characters: [Character]
    private let found: [Bool]

    /// `found` says of each character whether it was found; it is empty if none was.
    init(_ name: String, found: [Bool]) {
        characters = Array(name)
        self.found = found
    }

    /// Draws as much as has room in `columns`, and returns the columns used. O(name).
    func draw(in columns: Int, at point: Point, style: Style, on canvas: inout Canvas) -> Int {
        guard columns > 0 else { return 0 }
        let start = firstShown(in: columns)
        let rest = String(characters[start...])
        let text = DisplayText.truncated(start > 0 ? "…" + rest : rest, to: columns)
        let isCut = DisplayText.width(of: rest) + (start > 0 ? 1 : 0) > columns
        let used = canvas.put(text, at: point, style: style)
        guard !found.isEmpty else { return used }
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
            width(of: characters[...last]) + (last + 1 < characters.count ? 1 : 0) > columns
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

    private func width(of characters: ArraySlice<Character>) -> Int {
        characters.reduce(0) { $0 + DisplayText.columns(of: $1) }
    }
}

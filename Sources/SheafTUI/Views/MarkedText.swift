import Terminal

/// A text of a row in which some words have their own style and the letters that a query matched
/// are highlighted.
struct MarkedText {
    private let text: String
    /// The characters of the text, or none if there is nothing to mark, so that the rest of an
    /// enormous name is never read.
    private let characters: [Character]
    private let found: [Bool]
    private let showsFound: Bool
    private let words: [(range: Range<Int>, style: Style)]

    /// - Parameters:
    ///   - found: for each character, whether the query matched it. Empty if no character matched.
    ///   - showsFound: whether a text that is too long is cut so that the matched letters are
    ///     visible. If false, it is always cut at its end.
    ///   - words: ranges of characters with their own style.
    init(
        _ text: String, found: [Bool], showsFound: Bool,
        words: [(range: Range<Int>, style: Style)] = []
    ) {
        self.text = text
        self.found = found
        self.showsFound = showsFound
        self.words = words
        characters = found.isEmpty && words.isEmpty ? [] : Array(text)
    }

    /// Draws the part that fits into `columns`, and returns the columns used. O(columns) if there
    /// is nothing to mark, else O(text).
    func draw(in columns: Int, at point: Point, style: Style, on canvas: inout Canvas) -> Int {
        guard columns > 0 else { return 0 }
        guard !characters.isEmpty else {
            return canvas.put(DisplayText.truncated(text, to: columns), at: point, style: style)
        }
        let start = showsFound ? firstShown(in: columns) : 0
        let rest = String(characters[start...])
        let text = DisplayText.truncated(start > 0 ? "…" + rest : rest, to: columns)
        let isCut = DisplayText.width(of: rest) + (start > 0 ? 1 : 0) > columns
        let used = canvas.put(text, at: point, style: style)
        var x = start > 0 ? 1 : 0
        for index in characters.indices[start...] {
            let width = DisplayText.columns(of: characters[index])
            guard x + width <= used - (isCut ? 1 : 0) else { break }
            let word = words.first { $0.range.contains(index) }?.style
            let isFound = index < found.count && found[index]
            if isFound || word != nil {
                let look = word ?? style
                canvas.put(
                    String(characters[index]), at: Point(x: point.x + x, y: point.y),
                    style: isFound ? Theme.found(look) : look)
            }
            x += width
        }
        return used
    }

    /// Returns the index of the first visible character. If the match lies beyond the end, the
    /// beginning is cut off.
    private func firstShown(in columns: Int) -> Int {
        guard let last = found.lastIndex(of: true),
            DisplayText.width(of: characters[...last]) + (last + 1 < characters.count ? 1 : 0)
                > columns
        else { return 0 }
        // Room for an ellipsis at either end.
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

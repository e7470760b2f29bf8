import Terminal

/// A text of a row in which words have looks of their own, and the letters that a query found stand
/// out.
struct MarkedText {
    private let text: String
    /// Empty if there is nothing to mark: the rest of an enormous name is then never looked at.
    private let characters: [Character]
    private let found: [Bool]
    private let showsFound: Bool
    private let words: [(range: Range<Int>, style: Style)]

    /// - Parameters:
    ///   - found: whether each character was found; empty if none was.
    ///   - showsFound: true to cut a text that is too long so that found characters show; false to
    ///     cut it always at its end.
    ///   - words: characters with a style of their own.
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

    /// Draws as much as has room in `columns`, and returns the columns used. O(columns) if there is
    /// nothing to mark, and else O(text).
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

    /// Returns the first visible character: if found characters lie beyond the end, the beginning
    /// is cut.
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

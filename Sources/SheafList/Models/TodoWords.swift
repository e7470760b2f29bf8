/// Words such as `+House` and `@phone`, which are tags in a todo.txt.
package enum TodoWords {
    /// Returns true if at least two lines, and at least one line in ten, have such a word.
    /// O(bytes).
    package static func areLikely(in lines: [String]) -> Bool {
        let count = lines.count(where: hasTag)
        return count > 1 && 10 * count >= lines.count(where: { !$0.isBlank })
    }

    private static func hasTag(_ line: String) -> Bool {
        guard line.utf8.contains(where: { "+@".utf8.contains($0) }) else { return false }
        return line.split(whereSeparator: \.isWhitespace).contains { word in
            ["+", "@"].contains(word.first) && word.dropFirst().first?.isLetter ?? false
        }
    }
}

extension [String] {
    /// True if the lines are probably from a todo.txt: at least two of them, and at least one in
    /// ten, have a tag such as `+House` or `@phone`. O(bytes).
    package var probablyHaveTodoTags: Bool {
        let count = count(where: \.hasTodoTag)
        return count > 1 && 10 * count >= self.count(where: { !$0.isBlank })
    }
}

extension String {
    fileprivate var hasTodoTag: Bool {
        guard utf8.contains(where: { "+@".utf8.contains($0) }) else { return false }
        return split(whereSeparator: \.isWhitespace).contains { word in
            ["+", "@"].contains(word.first) && word.dropFirst().first?.isLetter ?? false
        }
    }
}

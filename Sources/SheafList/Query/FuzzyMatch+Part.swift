/// What of an enormous text a match looks at.
extension FuzzyMatch {
    /// The part of the text that is looked at: all of it, unless that takes too long; then from
    /// where the first letter is first to where the last one is last.
    @inline(__always) func part<Unit: FixedWidthInteger & UnsignedInteger>(
        of text: UnsafeBufferPointer<Unit>, with word: UnsafeBufferPointer<Unit>
    ) -> Part<Unit>? {
        text.count * word.count <= Self.mostCells
            ? Part(text, 0..<text.count) : shortestPart(of: text, with: word)
    }

    private func shortestPart<Unit: FixedWidthInteger & UnsignedInteger>(
        of text: UnsafeBufferPointer<Unit>, with word: UnsafeBufferPointer<Unit>
    ) -> Part<Unit>? {
        var row = 0
        var start = 0
        var end = 0
        for (index, unit) in text.enumerated() where unit == word[row] {
            if row == 0 { start = index }
            row += 1
            end = index
            if row == word.count { break }
        }
        guard row == word.count, let last = word.last else { return nil }
        let far = text[end...].lastIndex(of: last) ?? end
        if (far + 1 - start) * word.count <= Self.mostCells { return Part(text, start..<far + 1) }
        // The shortest that ends here, from its end back to its beginning.
        row = word.count - 1
        start = end
        while true {
            if text[start] == word[row] {
                if row == 0 { break }
                row -= 1
            }
            start -= 1
        }
        return Part(text, start..<end + 1)
    }
}

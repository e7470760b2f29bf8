/// Suggestions for misspelled words.
extension Sequence<String> {
    /// Returns the first word that begins with `word`, or else the word with the most similar
    /// spelling, or `nil` if no word is similar enough. Ignores case. O(lengths × words).
    package func nearest(to word: String) -> String? {
        let word = word.lowercased()
        if word.count > 1, let longer = first(where: { $0.hasPrefix(word) }) { return longer }
        let nearest = self.min { $0.distance(from: word) < $1.distance(from: word) }
        return nearest.flatMap {
            $0.distance(from: word) <= Swift.max(word.count / 3, 1) ? $0 : nil
        }
    }
}

extension String {
    /// Returns the number of characters to insert, delete, replace or swap with the next one to get
    /// `other` (optimal string alignment distance). O(product of the lengths).
    fileprivate func distance(from other: String) -> Int {
        let (own, other) = (Array(self), Array(other.prefix(40)))
        var rows = [Array(0...other.count)]
        for (i, letter) in own.enumerated() {
            var row = [i + 1]
            for (j, theirs) in other.enumerated() {
                let isSame = letter == theirs
                row.append(Swift.min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (isSame ? 0 : 1)))
                if i > 0, j > 0, letter == other[j - 1], own[i - 1] == theirs {
                    row[j + 1] = Swift.min(row[j + 1], rows[i - 1][j - 1] + 1)
                }
            }
            rows.append(row)
        }
        return rows[own.count][other.count]
    }
}

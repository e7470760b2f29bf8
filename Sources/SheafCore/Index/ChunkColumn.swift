/// A value that some rows of a chunk have: which they are, and the values side by side, so that a
/// search has to look at no item.
struct ChunkColumn<Value: Sendable>: Sendable {
    private(set) var rows = ChunkBits()
    private var values: ContiguousArray<Value> = []

    /// Adds the value of a row after those before.
    mutating func append(_ value: Value, at row: Int) {
        rows[row] = true
        values.append(value)
    }

    /// Adds the values that rows of another chunk have, from the row `start` on.
    mutating func append(_ other: ChunkColumn, _ rows: Range<Int>, at start: Int) {
        guard !other.values.isEmpty else { return }
        let moved = other.rows.intersection(ChunkBits(rows))
        self.rows = self.rows.union(moved.shifted(by: start - rows.lowerBound))
        let first = other.rows.count(before: rows.lowerBound)
        values.append(contentsOf: other.values[first..<first + moved.count])
    }

    /// The same in no more memory than it takes.
    var fitting: ChunkColumn {
        var column = self
        column.values = values.fitting
        return column
    }

    /// Those of `asked` whose values are right.
    func found(among asked: ChunkBits, where isRight: (Value) -> Bool) -> ChunkBits {
        var found = ChunkBits()
        var place = 0
        rows.forEach { row in
            if asked[row], isRight(values[place]) { found[row] = true }
            place += 1
        }
        return found
    }
}

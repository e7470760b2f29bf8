/// A value that some rows of a chunk have: which they are, and the values side by side, so that a
/// search has to look at no item.
struct ChunkColumn<Value: Sendable>: Sendable {
    private(set) var rows = ChunkBits()
    private(set) var values: ContiguousArray<Value> = []

    /// Adds the value of a row after those before, if it has one.
    mutating func append(_ value: Value?, at row: Int) {
        guard let value else { return }
        rows[row] = true
        values.append(value)
    }

    /// Adds the values that rows of another chunk have, from the row `start` on.
    mutating func append(_ other: ChunkColumn, _ rows: Range<Int>, at start: Int) {
        guard !other.values.isEmpty else { return }
        self.rows.append(other.rows, rows, at: start)
        let first = other.rows.count(before: rows.lowerBound)
        let count = other.rows.count(before: rows.upperBound) - first
        values.append(contentsOf: other.values[first..<first + count])
    }

    /// Takes no more memory than it needs.
    mutating func fit() { values = values.fitting }

    /// Gives a row this value, or none.
    mutating func set(_ value: Value?, at row: Int) {
        let place = rows.count(before: row)
        switch (rows[row], value) {
        case (true, let value?): values[place] = value
        case (false, let value?): values.insertSparingly(value, at: place)
        case (true, nil): values.remove(at: place)
        case (false, nil): return
        }
        rows[row] = value != nil
    }

    /// Inserts a row that has no value.
    mutating func insertRow(_ row: Int) { rows.insertRow(row) }

    /// Takes a row out.
    mutating func removeRow(_ row: Int) {
        set(nil, at: row)
        rows.removeRow(row)
    }

    /// Those of `asked` whose values are right.
    @inline(__always)
    func found(among asked: ChunkBits, where isRight: (Int, Value) -> Bool) -> ChunkBits {
        values.withUnsafeBufferPointer { values in
            var place = 0
            return rows.filter { row in
                defer { place &+= 1 }
                return asked[row] && isRight(row, values[place])
            }
        }
    }
}

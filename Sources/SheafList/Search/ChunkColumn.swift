/// Values that some rows of a chunk have: the set of these rows, and their values in a contiguous
/// array.
struct ChunkColumn<Value: Sendable>: Sendable {
    private(set) var rows = ChunkBits()
    private var values: ContiguousArray<Value> = []

    /// The value of a row, or `nil`. O(1).
    subscript(row: Int) -> Value? {
        get { rows[row] ? values[rows.count(before: row)] : nil }
        set {
            let place = rows.count(before: row)
            switch (rows[row], newValue) {
            case (true, let value?): values[place] = value
            case (false, let value?): values.insert(value, at: place)
            case (true, nil): values.remove(at: place)
            case (false, nil): return
            }
            rows[row] = newValue != nil
        }
    }

    /// Inserts a row without a value (up), or removes the row that is there (down).
    mutating func shift(at row: Int, up: Bool) {
        if !up { self[row] = nil }
        rows.shift(at: row, up: up)
    }

    /// Returns the rows whose values satisfy a predicate.
    func rows(where predicate: (Value) -> Bool) -> ChunkBits {
        var found = ChunkBits()
        forEach { row, value in if predicate(value) { found[row] = true } }
        return found
    }

    /// Calls `body` with each row that has a value.
    func forEach(_ body: (Int, Value) -> Void) {
        var place = 0
        rows.forEach { row in
            body(row, values[place])
            place += 1
        }
    }
}

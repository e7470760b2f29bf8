/// Up to 512 rows that storage reads. A search selects rows before items are created from them.
package struct RowPage {
    /// The maximum number of rows in a page.
    package static let capacity = ChunkBits.capacity

    private(set) var columns = ItemColumns()
    private var times: [(created: Timestamp, changed: Timestamp, done: Timestamp?)] = []
    private var texts: [[String: String]] = []

    /// Creates an empty page.
    package init() {}

    /// The number of rows. O(1).
    package var count: Int { columns.count }

    /// Adds a row. O(bytes of its texts).
    ///
    /// - Parameter texts: The nonempty texts of ``ItemSearch/askedFields``, by the names of the
    ///   fields.
    package mutating func append(_ row: SearchedRow, texts: [String: String]) {
        columns.insert(row, at: count)
        times.append((row.createdAt, row.updatedAt, row.doneAt))
        self.texts.append(texts)
    }

    /// Returns the indices of the rows that `search` finds, in ascending order. O(bytes of the
    /// texts).
    package func rows(foundBy search: ItemSearch) -> [Int] {
        var rows: [Int] = []
        search.find(in: self).rows.forEach { rows.append($0) }
        return rows
    }
}

extension RowPage: SearchedRows {
    func time(_ field: TimeField, ofRow row: Int) -> Timestamp? {
        switch field {
        case .created: times[row].created
        case .changed: times[row].changed
        case .done: times[row].done
        }
    }

    func text(ofField name: String, ofRow row: Int) -> String? { texts[row][name] }
}

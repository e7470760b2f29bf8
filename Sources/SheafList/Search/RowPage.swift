/// Up to 512 rows that storage reads. A search selects rows before items are created from them.
package struct RowPage {
    /// The maximum number of rows in a page.
    package static let capacity = ChunkBits.capacity

    private(set) var columns = ItemColumns()
    private var rest: [Rest] = []

    /// Creates an empty page.
    package init() {}

    /// The number of rows. O(1).
    package var count: Int { columns.count }

    /// Adds a row. O(bytes of its texts).
    package mutating func append(_ row: SearchedRow, _ rest: Rest) {
        columns.append(row)
        self.rest.append(rest)
    }

    /// The parts of a row that columns do not store.
    package struct Rest {
        let createdAt: Timestamp
        let updatedAt: Timestamp
        let doneAt: Timestamp?
        let texts: [String: String]

        /// - Parameter texts: The nonempty texts of ``ItemSearch/askedFields``, by the names of the
        ///   fields.
        package init(
            createdAt: Timestamp, updatedAt: Timestamp, doneAt: Timestamp?,
            texts: [String: String] = [:]
        ) {
            self.createdAt = createdAt
            self.updatedAt = updatedAt
            self.doneAt = doneAt
            self.texts = texts
        }
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
        case .created: rest[row].createdAt
        case .changed: rest[row].updatedAt
        case .done: rest[row].doneAt
        }
    }

    func text(ofField name: String, ofRow row: Int) -> String? { rest[row].texts[name] }
}

import Swidux

/// Puts rows into an order.
///
/// Rows are sorted by 12 bytes of what they are sorted by, and those that are equal in them by the
/// next 12, which are made when they are needed, as multikey quicksort does (Bentley and Sedgewick,
/// "Fast Algorithms for Sorting and Searching Strings", 1997), here around the library's sort. That
/// sort is stable: rows come in manual order, and those that are equal in all stay in it.
struct RowsSort: Sendable {
    private typealias Row = SortableRows.Row

    /// The names of rows, where their first keys do not tell them apart.
    struct Names: Sendable {
        /// The key of a name at a level.
        let key: @Sendable (UInt32, Int) -> SortKey
        let spelling: @Sendable (UInt32) -> NameSpelling
        /// ``NameOrder/compareBytes(_:_:)`` of two names.
        let compareBytes: @Sendable (UInt32, UInt32) -> Int
        /// Whether a name stands before another.
        let isBefore: @Sendable (UInt32, UInt32) -> Bool
    }

    private let parts: [SortableRows]
    private let order: ItemOrder
    private let names: Names

    /// - Parameter parts: what is to be sorted, in manual order.
    init(_ parts: [SortableRows], in order: ItemOrder, names: Names) {
        self.parts = parts
        self.order = order
        self.names = names
    }

    /// The numbers of the rows in order. O(n log n), by as many tasks as there are parts.
    func sorted() async -> [UInt32] {
        await sideBySide(ranges().map { range in { sorted(range) } }).flatMap { $0 }
    }

    /// The numbers of the rows whose first key is in `range`, in order. O(n log n).
    func sorted(_ range: ClosedRange<UInt64> = 0...UInt64.max) -> [UInt32] {
        var rows: [Row] = []
        rows.reserveCapacity(
            parts.reduce(0) { $0 + $1.rows.count { range.contains($0.key.first) } })
        for part in parts {
            for row in part.rows where range.contains(row.key.first) { rows.append(row) }
        }
        rows.withUnsafeMutableBufferPointer { sort($0, level: 0) }
        return rows.map(\.number)
    }

    /// Ranges of first keys that divide the rows into about equal parts, as a sample has it.
    private func ranges() -> [ClosedRange<UInt64>] {
        let sample = parts.map(\.rows).flatMap { rows in
            stride(from: 0, to: rows.count, by: max(rows.count / 512, 1)).map { rows[$0].key.first }
        }.sorted()
        var ranges: [ClosedRange<UInt64>] = []
        var start: UInt64 = 0
        for part in parts.indices.dropFirst() where !sample.isEmpty {
            let end = sample[sample.count * part / parts.count]
            guard end > start else { continue }
            ranges.append(start...end - 1)
            start = end
        }
        return ranges + [start...UInt64.max]
    }

    /// Sorts rows by their keys of `level`, and then those that are equal in them.
    private func sort(_ rows: UnsafeMutableBufferPointer<Row>, level: Int) {
        guard !Task.isCancelled else { return }
        var rows = rows
        rows.sort { $0.key < $1.key }
        guard order.sort == .name else { return }
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].key == rows[start].key { end += 1 }
            if end - start > 1 {
                sortEqual(UnsafeMutableBufferPointer(rebasing: rows[start..<end]), level: level)
            }
            start = end
        }
    }

    /// Sorts rows whose names are equal in their keys up to `level`.
    private func sortEqual(_ rows: UnsafeMutableBufferPointer<Row>, level: Int) {
        var rows = rows
        let key = order.isReversed ? ~rows[0].key : rows[0].key
        if key.rest & 0xFF == 0 {
            // These are whole names.
            let spelling = names.spelling(rows[0].number)
            guard
                spelling == .other
                    || rows.contains(where: { names.spelling($0.number) != spelling })
            else { return }
            rows.sort { left, right in
                let order = names.compareBytes(left.number, right.number)
                return order != 0 && (order < 0) != self.order.isReversed
            }
        } else if level + 1 == NameOrder.depth {
            rows.sort { names.isBefore($0.number, $1.number) }
        } else {
            for index in rows.indices {
                rows[index].key = names.key(rows[index].number, level + 1)
            }
            sort(rows, level: level + 1)
        }
    }
}

import Swidux

/// Puts rows into an order.
///
/// Rows are sorted by 16 bytes of what they are sorted by, and those that are equal in them by the
/// next 16, as multikey quicksort does (Bentley and Sedgewick, "Fast Algorithms for Sorting and
/// Searching Strings", 1997), here around the library's sort. That sort is stable: rows come in
/// manual order, and those that are equal in all stay in it.
struct RowsSort: Sendable {
    /// The name of a row.
    let name: @Sendable (UInt32) -> String
    /// Whether the name of a row stands before that of another one, where their keys do not tell.
    let isNameBefore: @Sendable (UInt32, UInt32) -> Bool

    /// The numbers of the rows in order. O(n log n), by as many tasks as there are parts.
    func sorted(_ parts: [SortableRows]) async -> [UInt32] {
        guard parts.count > 1 else { return parts.first.map(sorted) ?? [] }
        let keys = parts.flatMap(\.keys)
        return await sideBySide(
            ranges(of: parts).map { range in
                { sorted(SortableRows(parts, keys: keys, in: range)) }
            }
        ).flatMap { $0 }
    }

    /// The numbers of the rows in order. O(n log n).
    func sorted(_ part: SortableRows) -> [UInt32] {
        var rows = part.rows
        rows.withUnsafeMutableBufferPointer { sort($0, of: part, level: 0) }
        return rows.map(\.number)
    }

    /// Ranges of first numbers that divide the rows into about equal parts, as a sample has it.
    private func ranges(of parts: [SortableRows]) -> [ClosedRange<UInt64>] {
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
    private func sort(
        _ rows: UnsafeMutableBufferPointer<SortableRows.Row>, of part: SortableRows, level: Int
    ) {
        guard !Task.isCancelled else { return }
        var rows = rows
        rows.sort { $0.key < $1.key }
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].key.isEqual(to: rows[start].key) { end += 1 }
            if end - start > 1 {
                sortEqual(
                    UnsafeMutableBufferPointer(rebasing: rows[start..<end]), of: part,
                    level: level)
            }
            start = end
        }
    }

    /// Sorts rows that are equal in their keys up to `level`.
    private func sortEqual(
        _ rows: UnsafeMutableBufferPointer<SortableRows.Row>, of part: SortableRows, level: Int
    ) {
        var rows = rows
        if part.isLast(rows[0].key) {
            let spelling = rows[0].spelling
            guard spelling == .other || rows.contains(where: { $0.spelling != spelling }) else {
                return
            }
            rows.sort { left, right in
                let order = NameOrder.compareBytes(name(left.number), name(right.number))
                return order != 0 && (order < 0) != part.isReversed
            }
        } else if level + 1 == SortableRows.depth {
            rows.sort { isNameBefore($0.number, $1.number) }
        } else {
            for index in rows.indices {
                rows[index].key = part.keys[rows[index].start + level]
            }
            sort(rows, of: part, level: level + 1)
        }
    }
}

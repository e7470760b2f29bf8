import Swidux

/// Puts rows into an order.
///
/// Rows are sorted by 12 bytes of what they are sorted by, byte by byte, and those that are equal
/// in them by the next 12, which are made when they are needed. Rows come in manual order, with
/// numbers that ascend, and those that are equal in all stay in it.
struct RowsSort: Sendable {
    private typealias Row = SortableRows.Row

    /// The names of rows, where their first keys do not tell them apart.
    struct Names: Sendable {
        /// The key of the part of a name from a byte on, at a level.
        let key: @Sendable (UInt32, _ start: Int, _ level: Int) -> SortKey
        let spelling: @Sendable (UInt32) -> NameSpelling
        /// ``NameOrder/compareBytes(_:_:)`` of two names.
        let compareBytes: @Sendable (UInt32, UInt32) -> Int
        /// Whether a name stands before another.
        let isBefore: @Sendable (UInt32, UInt32) -> Bool
    }

    private let order: ItemOrder
    private let names: Names

    init(_ order: ItemOrder, names: Names) {
        self.order = order
        self.names = names
    }

    /// The numbers of the rows in order, sorted by `width` tasks. O(n log n).
    ///
    /// - Parameter parts: what is to be sorted, in manual order. While it is sorted they are gone,
    ///   if nobody else has them: a million rows are 16 MB.
    func sorted(_ parts: consuming [SortableRows], width: Int) async -> [UInt32] {
        let ranges = Self.ranges(of: parts, count: width)
        let divided = await Self.divided(parts, by: ranges)
        parts = []
        return await sideBySide(divided.map { rows in { sorted(rows) } }).flatMap { $0 }
    }

    /// The same on this thread.
    func sorted(_ parts: [SortableRows]) -> [UInt32] {
        sorted(RowsToSort(parts, in: 0...UInt64.max))
    }

    private func sorted(_ rows: RowsToSort) -> [UInt32] {
        rows.rows.withUnsafeMutableBufferPointer { sort($0) }
        defer { rows.rows = [] }
        return rows.rows.map(\.number)
    }

    private static func divided(
        _ parts: [SortableRows], by ranges: [ClosedRange<UInt64>]
    ) async -> [RowsToSort] {
        await sideBySide(ranges.map { range in { RowsToSort(parts, in: range) } })
    }

    /// Ranges of first keys that divide the rows into about equal parts, as a sample has it.
    private static func ranges(of parts: [SortableRows], count: Int) -> [ClosedRange<UInt64>] {
        let sample = parts.map(\.rows).flatMap { rows in
            stride(from: 0, to: rows.count, by: max(rows.count / 512, 1)).map { rows[$0].key.first }
        }.sorted()
        var ranges: [ClosedRange<UInt64>] = []
        var start: UInt64 = 0
        for part in 1..<max(count, 1) where !sample.isEmpty {
            let end = sample[sample.count * part / count]
            guard end > start else { continue }
            ranges.append(start...end - 1)
            start = end
        }
        return ranges + [start...UInt64.max]
    }

    /// The rows whose first keys are in a range: two tasks have them, one after the other.
    private final class RowsToSort: @unchecked Sendable {
        var rows: [Row] = []

        init(_ parts: [SortableRows], in range: ClosedRange<UInt64>) {
            rows.reserveCapacity(
                parts.reduce(0) { $0 + $1.rows.count { range.contains($0.key.first) } })
            for part in parts {
                for row in part.rows where range.contains(row.key.first) { rows.append(row) }
            }
        }
    }

    /// Which part of a name a key is made of: so many keys after that at the byte `start`, up to
    /// which each byte of the name was one of a key.
    private struct KeyPart {
        var start = 0
        var level = 0

        var depth: Int { start / SortKey.size + level }

        /// The part after this one, of which `key` is the key.
        func next(after key: SortKey) -> KeyPart {
            level == 0 && key.isPlain
                ? KeyPart(start: start + SortKey.size) : KeyPart(start: start, level: level + 1)
        }
    }

    /// Sorts rows by their keys, those of `part`, and then those that are equal in them.
    private func sort(_ rows: UnsafeMutableBufferPointer<Row>, by part: KeyPart = KeyPart()) {
        guard !Task.isCancelled else { return }
        ByteSort.sort(rows)
        guard order.sort == .name else { return }
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].key == rows[start].key { end += 1 }
            if end - start > 1 {
                sortEqual(UnsafeMutableBufferPointer(rebasing: rows[start..<end]), in: part)
            }
            start = end
        }
    }

    /// Sorts rows whose names are equal up to the end of `part`.
    private func sortEqual(_ rows: UnsafeMutableBufferPointer<Row>, in part: KeyPart) {
        var rows = rows
        let (key, first) = (order.isReversed ? ~rows[0].key : rows[0].key, rows[0].number)
        if key.isEnd {
            // These are whole names, most often of one spelling. Where there are numbers, they may
            // begin with more zeros or fewer.
            let spelling = names.spelling(first)
            let isSure = spelling != .other && part.level == 0 && !key.hasNumber
            guard
                rows.contains(where: { names.spelling($0.number) != spelling })
                    || !isSure
                        && rows.contains(where: { names.compareBytes(first, $0.number) != 0 })
            else { return }
            rows.sort { left, right in
                let order = names.compareBytes(left.number, right.number)
                return order != 0 && (order < 0) != self.order.isReversed
            }
        } else if part.depth + 1 == NameOrder.depth {
            rows.sort { names.isBefore($0.number, $1.number) }
        } else {
            let next = part.next(after: key)
            for index in rows.indices {
                rows[index].key = names.key(rows[index].number, next.start, next.level)
            }
            sort(rows, by: next)
        }
    }
}

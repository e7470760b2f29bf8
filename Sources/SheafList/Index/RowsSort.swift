import Swidux

/// Puts rows into an order.
///
/// Rows are sorted by 28 bytes of what they are sorted by, byte by byte, and those that are equal
/// in them by the next 28, which are made when they are needed. Rows come in manual order, with
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
    /// - Parameter parts: what is to be sorted, in manual order, in one room, which goes with the
    ///   last that has it: a million rows are 32 MB.
    func sorted(_ parts: consuming [SortableRows], width: Int) async -> [UInt32] {
        guard let rows = SortableRows.joined(consume parts) else { return [] }
        let ranges = rows.withRows { Self.divide($0, between: width) }
        _ = await sideBySide(
            rows.divided(in: ranges).map { part in
                { part.withRows { sort($0) } }
            })
        return rows.withRows { $0.map(\.number) }
    }

    /// The same on this thread.
    func sorted(_ parts: [SortableRows]) -> [UInt32] {
        guard let rows = SortableRows.joined(parts) else { return [] }
        return rows.withRows { rows in
            sort(rows)
            return rows.map(\.number)
        }
    }

    /// Divides rows into about equal parts, as a sample has it, each of which stands before the
    /// next, and returns where they are.
    private static func divide(
        _ rows: UnsafeMutableBufferPointer<Row>, between count: Int
    ) -> [Range<Int>] {
        let sample = stride(from: 0, to: rows.count, by: max(rows.count / 512, 1))
            .map { rows[$0].key }.sorted()
        var ends: [SortKey] = []
        for part in 1..<max(count, 1) where !sample.isEmpty {
            let end = sample[sample.count * part / count]
            if end != ends.last { ends.append(end) }
        }
        guard !ends.isEmpty else { return [0..<rows.count] }
        var ranges: [Range<Int>] = []
        ByteSort.group(rows, into: ends.count + 1) { row in
            var part = 0
            while part < ends.count, row.key >= ends[part] { part += 1 }
            return part
        } _: {
            ranges.append($0)
        }
        return ranges
    }

    /// Which part of a name a key is made of: so many keys after that at the byte `start`, up to
    /// which each byte of the name was one of a key.
    private struct KeyPart {
        var start = 0
        var level = 0

        var depth: Int { start / SortKey.size + level }

        /// The part after this one, of which `key` is the key.
        func next(after key: SortKey) -> KeyPart {
            level == 0 && key.isPlain()
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
            // These are whole names, most often of one spelling.
            let spelling = names.spelling(first)
            guard
                rows.contains(where: { names.spelling($0.number) != spelling })
                    || spelling == .other
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

import Swidux

/// Puts rows of an index into an order.
///
/// Rows are sorted by 16 bytes of what they are sorted by, and those that are equal in them by the
/// next 16: numbers that lie side by side are compared many times faster than names that
/// lie anywhere. So does multikey quicksort (Bentley and Sedgewick, "Fast Algorithms for Sorting
/// and Searching Strings", 1997), here around the library's sort. The columns stay where they are.
struct RowsSort: Sendable {
    /// A row by 16 bytes of what it is sorted by.
    struct Row: Sendable {
        var key: SortKey
        let place: RowPlace

        init(_ chunk: IndexChunk, _ place: RowPlace, in order: ItemOrder) {
            // Another manual order is the reversed one.
            key =
                order.sort == .manual
                ? SortKey(first: ~place.number, isLast: true)
                : order.key(of: chunk, place.row, level: 0)
            self.place = place
        }
    }

    let order: ItemOrder
    let chunks: ContiguousArray<IndexChunk>
    /// So few equal rows are compared as they are.
    private static let few = 8
    /// And so are those that are equal in so many keys: names can be endless.
    private static let deepest = 4

    /// The places of `rows`, which came in parts, in order. O(n log n), by as many tasks as there
    /// are parts.
    func sorted(_ rows: [[Row]]) async -> [RowPlace] {
        await sideBySide(
            ranges(of: rows).map { range in
                { sorted(rows.flatMap { $0.filter { range.contains($0.key.first) } }) }
            }
        ).flatMap { $0 }
    }

    /// The places of `rows` in order. O(n log n).
    func sorted(_ rows: [Row]) -> [RowPlace] {
        var rows = rows
        rows.withUnsafeMutableBufferPointer { sort($0, level: 0) }
        return rows.map(\.place)
    }

    /// Ranges of keys that divide `rows` into about equal parts, as a sample of them has it.
    private func ranges(of rows: [[Row]]) -> [ClosedRange<UInt64>] {
        let sample = rows.flatMap { part in
            stride(from: 0, to: part.count, by: max(part.count / 512, 1)).map { part[$0].key.first }
        }.sorted()
        var ranges: [ClosedRange<UInt64>] = []
        var start: UInt64 = 0
        for part in rows.indices.dropFirst() where !sample.isEmpty {
            let end = sample[sample.count * part / rows.count]
            guard end > start else { continue }
            ranges.append(start...end - 1)
            start = end
        }
        return ranges + [start...UInt64.max]
    }

    /// Sorts rows by their keys of `level`, and then those that are equal in them. They come in
    /// manual order, and those that are equal in all stay in it: the library's sort is stable.
    private func sort(_ rows: UnsafeMutableBufferPointer<Row>, level: Int) {
        guard !Task.isCancelled else { return }
        var rows = rows
        rows.sort { $0.key < $1.key }
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].key.isEqual(to: rows[start].key) { end += 1 }
            if end - start > 1 {
                sortEqual(UnsafeMutableBufferPointer(rebasing: rows[start..<end]), level: level)
            }
            start = end
        }
    }

    /// Sorts rows that are equal in their keys up to `level`.
    private func sortEqual(_ rows: UnsafeMutableBufferPointer<Row>, level: Int) {
        var rows = rows
        guard order.sort == .name else { return }
        if rows.count <= Self.few || level == Self.deepest || rows.allSatisfy(\.key.isLast) {
            return rows.sort { left, right in
                order.isNameBefore(
                    chunks[left.place.chunk], left.place.row,
                    chunks[right.place.chunk], right.place.row)
            }
        }
        for index in rows.indices {
            let place = rows[index].place
            rows[index].key = order.key(of: chunks[place.chunk], place.row, level: level + 1)
        }
        sort(rows, level: level + 1)
    }
}

/// Where a row stands: the number of its chunk among those that are looked at, and its row there.
struct RowPlace: Hashable, Sendable {
    private let value: UInt32

    init(chunk: Int, row: Int) { value = UInt32(chunk * ChunkBits.capacity + row) }

    /// The place among all rows of the chunks.
    var number: UInt64 { UInt64(value) }
    var chunk: Int { Int(value) / ChunkBits.capacity }
    var row: Int { Int(value) % ChunkBits.capacity }
}

/// All rows of an index in an order, to be looked through by the next search: that is faster than
/// sorting what it finds.
struct SortedPlaces: Sendable {
    let sort: RowsSort
    let places: [RowPlace]

    /// Whether these are all rows of `chunks` in `order`. O(chunks).
    func isOrder(_ order: ItemOrder, of chunks: ContiguousArray<IndexChunk>) -> Bool {
        sort.order == order && sort.chunks.elementsEqual(chunks, by: ===)
    }
}

import Swidux

/// Brings the rows of an index into another order.
///
/// Rows are sorted by eight bytes of what they are sorted by, and those that are equal in them by
/// the next eight: numbers that lie side by side are compared many times faster than names that
/// lie anywhere. So does multikey quicksort (Bentley and Sedgewick, "Fast Algorithms for Sorting
/// and Searching Strings", 1997), here around the library's sort.
struct Reordering: Sendable {
    /// A row by eight bytes of what it is sorted by, and where it stands in the index.
    struct Row {
        var key: UInt64
        var isLast: Bool
        let row: UInt8
        let leaf: UInt32
    }

    private let leaves: [IndexLeaf]
    private let order: ItemOrder
    /// So few equal rows are compared as they are.
    private static let few = 8
    /// And so are those that are equal in so many keys: names can be endless.
    private static let deepest = 8

    init(_ index: ItemIndex, by order: ItemOrder) {
        leaves = index.leaves.chunks
        self.order = order
    }

    /// All rows in order, as leaves. O(n log n).
    func run() -> [IndexLeaf] { sorted(rows(of: leaves.indices)) }

    /// The same, in `width` parts that as many tasks make side by side.
    func run(width: Int) async -> [[IndexLeaf]] {
        let size = max((leaves.count - 1) / width + 1, 1)
        let unsorted = await sideBySide(
            stride(from: 0, to: leaves.count, by: size).map { start in
                { rows(of: start..<min(start + size, leaves.count)) }
            })
        return await sideBySide(
            ranges(of: unsorted, width).map { range in
                { sorted(unsorted.flatMap { $0.filter { range.contains($0.key) } }) }
            })
    }

    /// Ranges of keys that divide `rows` into about equal parts, as a sample of them has it.
    private func ranges(of rows: [[Row]], _ width: Int) -> [ClosedRange<UInt64>] {
        let sample = rows.flatMap { part in
            stride(from: 0, to: part.count, by: max(part.count / 512, 1)).map { part[$0].key }
        }.sorted()
        var ranges: [ClosedRange<UInt64>] = []
        var start: UInt64 = 0
        for part in 1..<max(width, 1) where !sample.isEmpty {
            let end = sample[sample.count * part / width]
            guard end > start else { continue }
            ranges.append(start...end - 1)
            start = end
        }
        return ranges + [start...UInt64.max]
    }

    /// The rows of some leaves, with their first keys.
    private func rows(of range: Range<Int>) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(range.reduce(0) { $0 + leaves[$1].chunk.count })
        for number in range {
            let chunk = leaves[number].chunk
            for row in 0..<chunk.count {
                let key = order.key(of: chunk, row, level: 0)
                rows.append(
                    Row(
                        key: key.bytes, isLast: key.isLast, row: UInt8(row),
                        leaf: UInt32(number)))
            }
        }
        return rows
    }

    /// Leaves of `rows`, in order.
    private func sorted(_ rows: [Row]) -> [IndexLeaf] {
        var rows = rows
        rows.withUnsafeMutableBufferPointer { sort($0, level: 0) }
        var builder = LeafBuilder()
        var sorted: [IndexLeaf] = []
        sorted.reserveCapacity(rows.count / ChunkBuilder.fill + 1)
        for row in rows {
            let leaf = leaves[Int(row.leaf)]
            builder.append(leaf, Int(row.row)..<Int(row.row) + 1)
            if builder.count == ChunkBuilder.fill {
                sorted.append(builder.leaf())
                if Task.isCancelled { return sorted }
            }
        }
        if builder.count > 0 { sorted.append(builder.leaf()) }
        return sorted
    }

    /// Sorts rows by their keys of `level`, and then those that are equal in them.
    private func sort(_ rows: UnsafeMutableBufferPointer<Row>, level: Int) {
        var rows = rows
        rows.sort { $0.key < $1.key }
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

    /// Sorts rows that are equal in their keys up to `level`.
    private func sortEqual(_ rows: UnsafeMutableBufferPointer<Row>, level: Int) {
        var rows = rows
        if rows.count <= Self.few || level == Self.deepest || rows.allSatisfy(\.isLast) {
            return rows.sort { left, right in
                order.isBefore(
                    leaves[Int(left.leaf)].chunk, Int(left.row),
                    leaves[Int(right.leaf)].chunk, Int(right.row))
            }
        }
        for index in rows.indices {
            let chunk = leaves[Int(rows[index].leaf)].chunk
            let key = order.key(of: chunk, Int(rows[index].row), level: level + 1)
            rows[index].key = key.bytes
            rows[index].isLast = key.isLast
        }
        sort(rows, level: level + 1)
    }
}

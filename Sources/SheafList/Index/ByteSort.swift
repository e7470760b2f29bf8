/// Sorts rows by their keys, and those of equal keys by their numbers: in place, byte by byte from
/// the first in which they differ, in less than half the time of comparing them (American flag
/// sort: McIlroy, Bostic and McIlroy, "Engineering Radix Sort", 1993).
enum ByteSort {
    typealias Row = SortableRows.Row

    /// Fewer rows are compared.
    private static let fewRows = 24

    /// O(bytes × n).
    static func sort(_ rows: UnsafeMutableBufferPointer<Row>) {
        guard rows.count > fewRows else { return insert(rows) }
        if rows.count > 2048 { giveWay() }
        let (key, number) = (rows[0].key, rows[0].number)
        var differing: (key: SortKey, number: UInt32) = (SortKey(0), 0)
        for row in rows {
            differing.key.formUnion(row.key.difference(from: key))
            differing.number |= row.number ^ number
        }
        if differing.key.first != 0 {
            let shift = UInt64(differing.key.first.lastByteShift)
            divide(rows) { Int(truncatingIfNeeded: $0.key.first &>> shift) & 0xFF }
        } else if differing.key.second != 0 {
            let shift = UInt64(differing.key.second.lastByteShift)
            divide(rows) { Int(truncatingIfNeeded: $0.key.second &>> shift) & 0xFF }
        } else if differing.key.third != 0 {
            let shift = UInt64(differing.key.third.lastByteShift)
            divide(rows) { Int(truncatingIfNeeded: $0.key.third &>> shift) & 0xFF }
        } else if differing.key.rest != 0 {
            let shift = UInt32(differing.key.rest.lastByteShift)
            divide(rows) { Int(truncatingIfNeeded: $0.key.rest &>> shift) & 0xFF }
        } else if differing.number != 0 {
            let shift = UInt32(differing.number.lastByteShift)
            divide(rows) { Int(truncatingIfNeeded: $0.number &>> shift) & 0xFF }
        }
    }

    /// Puts rows into the order of a byte, and sorts those that are equal in it.
    @inline(__always) private static func divide(
        _ rows: UnsafeMutableBufferPointer<Row>, by byte: (Row) -> Int
    ) {
        group(rows, into: 256, by: byte) { range in
            if range.count > 1 { sort(UnsafeMutableBufferPointer(rebasing: rows[range])) }
        }
    }

    /// Puts rows into groups, side by side in the order of their numbers, and calls `body` with
    /// where each is that has any row. O(n).
    @inline(__always) static func group(
        _ rows: UnsafeMutableBufferPointer<Row>, into count: Int, by group: (Row) -> Int,
        _ body: (Range<Int>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * count) { places in
            // Where the next row of each group goes, and where those of it end.
            let next = UnsafeMutableBufferPointer(rebasing: places[..<count])
            let ends = UnsafeMutableBufferPointer(rebasing: places[count...])
            ends.initialize(repeating: 0)
            for row in rows { ends[group(row)] += 1 }
            var start = 0
            for number in 0..<count {
                next.initializeElement(at: number, to: start)
                start += ends[number]
                ends[number] = start
            }
            for number in 0..<count {
                while next[number] < ends[number] {
                    var row = rows[next[number]]
                    var other = group(row)
                    while other != number {
                        let place = next[other]
                        next[other] = place + 1
                        swap(&row, &rows[place])
                        other = group(row)
                    }
                    rows[next[number]] = row
                    next[number] += 1
                }
            }
            start = 0
            for number in 0..<count where ends[number] > start {
                body(start..<ends[number])
                start = ends[number]
            }
        }
    }

    private static func insert(_ rows: UnsafeMutableBufferPointer<Row>) {
        for index in rows.indices.dropFirst() {
            let row = rows[index]
            var place = index
            while place > 0, row < rows[place - 1] {
                rows[place] = rows[place - 1]
                place -= 1
            }
            rows[place] = row
        }
    }
}

extension FixedWidthInteger {
    /// By how many bits its highest byte that is not zero is shifted.
    fileprivate var lastByteShift: Int { (Self.bitWidth - 1 - leadingZeroBitCount) & ~7 }
}

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
        let (first, rest, number) = (rows[0].key.first, rows[0].key.rest, rows[0].number)
        var differing: (first: UInt64, rest: UInt32, number: UInt32) = (0, 0, 0)
        for row in rows {
            differing.first |= row.key.first ^ first
            differing.rest |= row.key.rest ^ rest
            differing.number |= row.number ^ number
        }
        if differing.first != 0 {
            let shift = UInt64(differing.first.lastByteShift)
            divide(rows) { Int(truncatingIfNeeded: $0.key.first &>> shift) & 0xFF }
        } else if differing.rest != 0 {
            let shift = UInt32(differing.rest.lastByteShift)
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
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * 256) { places in
            // Where the next row of each byte goes, and where those of it end.
            let next = UnsafeMutableBufferPointer(rebasing: places[..<256])
            let ends = UnsafeMutableBufferPointer(rebasing: places[256...])
            ends.initialize(repeating: 0)
            for row in rows { ends[byte(row)] += 1 }
            var start = 0
            for value in 0..<256 {
                next[value] = start
                start += ends[value]
                ends[value] = start
            }
            for value in 0..<256 {
                while next[value] < ends[value] {
                    var row = rows[next[value]]
                    var other = byte(row)
                    while other != value {
                        let place = next[other]
                        next[other] = place + 1
                        swap(&row, &rows[place])
                        other = byte(row)
                    }
                    rows[next[value]] = row
                    next[value] += 1
                }
            }
            start = 0
            for value in 0..<256 where ends[value] > start {
                if ends[value] - start > 1 {
                    sort(UnsafeMutableBufferPointer(rebasing: rows[start..<ends[value]]))
                }
                start = ends[value]
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

extension SortableRows.Row {
    fileprivate static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.key == rhs.key ? lhs.number < rhs.number : lhs.key < rhs.key
    }
}

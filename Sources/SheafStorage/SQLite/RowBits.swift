/// A word of bits for each row of a table, by the row's number.
///
/// Eight rows stand in one entry: rows are mostly read in the order in which they were added, so
/// that most are answered by the entry of the one before, and a row far from all others costs no
/// more than one entry.
struct RowBits {
    private var blocks: [Int64: SIMD8<UInt64>] = [:]
    private var last: (number: Int64, bits: SIMD8<UInt64>)?

    var isEmpty: Bool { blocks.isEmpty }

    /// Sets `bits` for a row.
    mutating func insert(_ bits: UInt64, at row: Int64) {
        last = nil
        blocks[row >> 3, default: .zero][Int(row & 7)] |= bits
    }

    /// The bits of a row.
    mutating func bits(of row: Int64) -> UInt64 {
        let number = row >> 3
        if let last, last.number == number { return last.bits[Int(row & 7)] }
        let bits = blocks[number] ?? .zero
        last = (number, bits)
        return bits[Int(row & 7)]
    }
}

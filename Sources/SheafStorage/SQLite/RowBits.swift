/// A word of bits for each row of a table, by row number.
///
/// Eight rows share one entry. Rows are mostly read in the order in which they were added, so most
/// lookups use the entry of the previous one. An isolated row costs only one entry.
struct RowBits {
    private var blocks: [Int64: SIMD8<UInt64>] = [:]
    private var last: (number: Int64, bits: SIMD8<UInt64>)?

    var isEmpty: Bool { blocks.isEmpty }

    /// Sets `bits` for a row.
    mutating func insert(_ bits: UInt64, at row: Int64) {
        last = nil
        blocks[row >> 3, default: .zero][Int(row & 7)] |= bits
    }

    /// Returns the bits of a row.
    mutating func bits(of row: Int64) -> UInt64 {
        let number = row >> 3
        if let last, last.number == number { return last.bits[Int(row & 7)] }
        let bits = blocks[number] ?? .zero
        last = (number, bits)
        return bits[Int(row & 7)]
    }
}

/// A set of rows of a chunk: numbers from 0 to 511, in 64 bytes.
struct ChunkBits: Sendable {
    static let capacity = 512

    private var words = SIMD8<UInt64>.zero

    /// Creates the empty set.
    init() {}

    /// Creates the set of the first `count` rows.
    init(first count: Int) {
        for word in 0..<8 {
            let rest = min(max(count - word * 64, 0), 64)
            words[word] = rest == 64 ? .max : (1 << UInt64(rest)) - 1
        }
    }

    var isEmpty: Bool { words == .zero }

    var count: Int {
        var count = 0
        for index in 0..<8 { count &+= words[index].nonzeroBitCount }
        return count
    }

    subscript(row: Int) -> Bool {
        @inline(__always) get { words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
        @inline(__always) set {
            let bit: UInt64 = 1 << UInt64(row & 63)
            if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
        }
    }

    /// Returns the number of its rows before `row`.
    func count(before row: Int) -> Int { intersection(ChunkBits(first: row)).count }

    func intersection(_ other: ChunkBits) -> ChunkBits { ChunkBits(words & other.words) }
    func union(_ other: ChunkBits) -> ChunkBits { ChunkBits(words | other.words) }
    func subtracting(_ other: ChunkBits) -> ChunkBits { ChunkBits(words & ~other.words) }

    /// Moves the rows from `row` on by one: up, to make room for a new row, which the set does not
    /// contain, or down, to close the gap of a removed row.
    mutating func shift(at row: Int, up: Bool) {
        let before = intersection(ChunkBits(first: row))
        let rest = subtracting(ChunkBits(first: up ? row : row + 1))
        for index in 0..<8 {
            let word = rest.words[index]
            words[index] =
                up
                ? word << 1 | (index > 0 ? rest.words[index - 1] >> 63 : 0)
                : word >> 1 | (index < 7 ? rest.words[index + 1] << 63 : 0)
        }
        self = before.union(self)
    }

    /// Calls `body` with each row, in ascending order.
    @inline(__always) func forEach(_ body: (Int) -> Void) {
        for index in 0..<8 {
            var word = words[index]
            while word != 0 {
                body(index * 64 + word.trailingZeroBitCount)
                word &= word &- 1
            }
        }
    }

    private init(_ words: SIMD8<UInt64>) { self.words = words }
}

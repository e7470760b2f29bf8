/// Which rows of a chunk: a set of numbers from 0 to 511, in 64 bytes.
struct ChunkBits: Sendable {
    static let capacity = 512

    private var words = SIMD8<UInt64>.zero

    /// No row.
    init() {}

    /// The first `count` rows.
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

    /// The number of its rows before `row`.
    func count(before row: Int) -> Int { intersection(ChunkBits(first: row)).count }

    func intersection(_ other: ChunkBits) -> ChunkBits { ChunkBits(words & other.words) }
    func union(_ other: ChunkBits) -> ChunkBits { ChunkBits(words | other.words) }
    func subtracting(_ other: ChunkBits) -> ChunkBits { ChunkBits(words & ~other.words) }

    /// Inserts a row that it does not have: those from `row` on move by one.
    mutating func insertRow(_ row: Int) {
        let before = intersection(ChunkBits(first: row))
        var after = subtracting(before)
        var carry: UInt64 = 0
        for index in 0..<8 {
            let word = after.words[index]
            after.words[index] = word << 1 | carry
            carry = word >> 63
        }
        self = before.union(after)
    }

    /// Takes a row out: those after it move by one.
    mutating func removeRow(_ row: Int) {
        let before = intersection(ChunkBits(first: row))
        var after = subtracting(ChunkBits(first: row + 1))
        var carry: UInt64 = 0
        for index in (0..<8).reversed() {
            let word = after.words[index]
            after.words[index] = word >> 1 | carry << 63
            carry = word & 1
        }
        self = before.union(after)
    }

    /// Calls `body` with each of its rows, ascending.
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

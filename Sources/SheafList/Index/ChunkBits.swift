/// Which rows of a chunk: a set of numbers from 0 to 255, in 32 bytes.
struct ChunkBits: Hashable, Sendable {
    static let capacity = 256

    private var words = SIMD4<UInt64>.zero

    /// No row.
    init() {}

    /// The first `count` rows.
    init(first count: Int) {
        for word in 0..<4 {
            let rest = min(max(count - word * 64, 0), 64)
            words[word] = rest == 64 ? .max : (1 << UInt64(rest)) - 1
        }
    }

    /// The rows of `range`.
    init(_ range: Range<Int>) {
        self = ChunkBits(first: range.upperBound).subtracting(ChunkBits(first: range.lowerBound))
    }

    var isEmpty: Bool { words == .zero }

    var count: Int {
        words[0].nonzeroBitCount + words[1].nonzeroBitCount + words[2].nonzeroBitCount
            + words[3].nonzeroBitCount
    }

    subscript(row: Int) -> Bool {
        @inline(__always) get { words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
        @inline(__always) set {
            let bit: UInt64 = 1 << UInt64(row & 63)
            if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
        }
    }

    /// How many of the rows before `row` it has.
    func count(before row: Int) -> Int { intersection(ChunkBits(first: row)).count }

    /// The row before which it has `number` rows, or nil if it has no more than that.
    func row(at number: Int) -> Int? {
        var rest = number
        for index in 0..<4 {
            var word = words[index]
            let count = word.nonzeroBitCount
            guard rest < count else {
                rest -= count
                continue
            }
            for _ in 0..<rest { word &= word &- 1 }
            return index * 64 + word.trailingZeroBitCount
        }
        return nil
    }

    func intersection(_ other: ChunkBits) -> ChunkBits { ChunkBits(words & other.words) }
    func union(_ other: ChunkBits) -> ChunkBits { ChunkBits(words | other.words) }
    func subtracting(_ other: ChunkBits) -> ChunkBits { ChunkBits(words & ~other.words) }

    /// The same rows `distance` further on, or further back if it is negative. Rows that would have
    /// no number are left out.
    func shifted(by distance: Int) -> ChunkBits {
        let (skip, bits) = (abs(distance) >> 6, UInt64(abs(distance) & 63))
        var result = ChunkBits()
        for word in 0..<4 {
            let source = distance < 0 ? word + skip : word - skip
            // Shifts by 64 give zero.
            if distance < 0 {
                if source < 4 { result.words[word] = words[source] >> bits }
                if source + 1 < 4 { result.words[word] |= words[source + 1] << (64 - bits) }
            } else {
                if source >= 0 { result.words[word] = words[source] << bits }
                if source > 0 { result.words[word] |= words[source - 1] >> (64 - bits) }
            }
        }
        return result
    }

    /// Adds those of `rows` that another set has, as rows from `start` on.
    mutating func append(_ other: ChunkBits, _ rows: Range<Int>, at start: Int) {
        let taken = other.intersection(ChunkBits(rows))
        self = union(taken.shifted(by: start - rows.lowerBound))
    }

    /// Inserts a row that it has not: those from `row` on move by one.
    mutating func insertRow(_ row: Int) {
        let before = intersection(ChunkBits(first: row))
        self = before.union(subtracting(before).shifted(by: 1))
    }

    /// Takes a row out: those after it move by one.
    mutating func removeRow(_ row: Int) {
        let before = intersection(ChunkBits(first: row))
        let after = subtracting(ChunkBits(first: row + 1))
        self = before.union(after.shifted(by: -1))
    }

    /// Those of its rows for which `isIncluded` holds, all of them less than `count`. It may be
    /// asked of other rows as well: a branch for each row that cannot be foreseen would take
    /// longer.
    @inline(__always) func filter(below count: Int, _ isIncluded: (Int) -> Bool) -> ChunkBits {
        var result = self
        for index in 0..<4 where words[index] != 0 {
            var bits: UInt64 = 0
            let start = index * 64
            for row in start..<min(start + 64, count) {
                bits |= (isIncluded(row) ? 1 : 0) &<< UInt64(row &- start)
            }
            result.words[index] &= bits
        }
        return result
    }

    /// Those of its rows for which `isIncluded` holds, which is asked of no other.
    @inline(__always) func filter(_ isIncluded: (Int) -> Bool) -> ChunkBits {
        filter(prefetching: { _ in }, isIncluded)
    }

    /// The same. `prefetch` is called with a row that `isIncluded` is asked of soon after.
    @inline(__always)
    func filter(prefetching prefetch: (Int) -> Void, _ isIncluded: (Int) -> Bool) -> ChunkBits {
        var result = ChunkBits()
        for index in 0..<4 {
            var rest = words[index]
            // A bit at a time in a register: one that is set in memory is waited for.
            var bits: UInt64 = 0
            while rest != 0 {
                let others = rest & (rest &- 1)
                let ahead = others & (others &- 1)
                if ahead != 0 { prefetch(index * 64 + ahead.trailingZeroBitCount) }
                if isIncluded(index * 64 + rest.trailingZeroBitCount) { bits |= rest & (0 &- rest) }
                rest = others
            }
            result.words[index] = bits
        }
        return result
    }

    /// Calls `body` with each of its rows, ascending.
    @inline(__always) func forEach(_ body: (Int) -> Void) {
        for index in 0..<4 {
            var word = words[index]
            while word != 0 {
                body(index * 64 + word.trailingZeroBitCount)
                word &= word &- 1
            }
        }
    }

    private init(_ words: SIMD4<UInt64>) { self.words = words }
}

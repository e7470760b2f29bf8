import CBytes

/// Finds a word in many texts at once, with the points that ``FuzzyMatch`` gives them. It fills all
/// cells of the matrix, with a byte of a vector for each text. Where a processor has vectors of 32
/// bytes, that is faster than filling the relevant cells of one text at a time.
///
/// A value keeps its memory for the next texts.
struct FuzzyLanes {
    /// How many texts are looked through at once. Any number takes as long as its next multiple.
    static let count = Int(CBYTES_LANES)
    /// Fewer texts than this are faster one at a time.
    static let fewest = 12
    /// The most bytes of a text.
    static let mostBytes = Int(CBYTES_LANE_BYTES)
    /// Whether the processor has such vectors.
    static let isSupported = cbytes_has_lanes()

    private var rows = ContiguousArray<UInt8>(repeating: 0, count: ChunkBits.capacity)
    private var points = ContiguousArray<UInt8>(repeating: 0, count: ChunkBits.capacity)

    /// Whether it can look for a folded word: of two letters from a to z or more, and not more than
    /// a byte can hold the points of.
    static func takes(_ word: some Collection<UInt8>) -> Bool {
        2...Int(CBYTES_LANE_LETTERS) ~= word.count && word.allSatisfy { 0x61...0x7A ~= $0 }
    }

    /// Calls `body` with the points for `word` in the names of `rows`, a number for each row: 0 if
    /// not all its letters are there in order, and anything for other rows. O(word × texts).
    ///
    /// - Parameter names: those of `rows` have ``mostBytes`` at most.
    mutating func withPoints<Result>(
        for word: UnsafeBufferPointer<UInt8>, in rows: ChunkBits, of names: ChunkNames,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var count = 0
        return self.rows.withUnsafeMutableBufferPointer { numbers in
            rows.forEach {
                numbers[count] = UInt8(truncatingIfNeeded: $0)
                count &+= 1
            }
            return points.withUnsafeMutableBufferPointer { points in
                cbytes_lane_points(
                    names.bytes.baseAddress, names.ends.baseAddress, names.ends.count,
                    numbers.baseAddress, count, word.baseAddress, word.count, points.baseAddress)
                return body(UnsafeBufferPointer(points))
            }
        }
    }
}

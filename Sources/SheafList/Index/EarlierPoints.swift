import Swidux

/// What an earlier search says of a later one that asks for the same terms and more, where the best
/// matches come first: which rows these terms find, and how well. Only the others are looked for.
struct EarlierPoints: Sendable {
    /// What the later search asks besides.
    let rest: ItemSearch
    /// The points of the rows by ``RowPlace/number``, -1 for those that were not found.
    private let points: ContiguousArray<Int32>

    /// Nil if the rows are not those of `chunks`. O(rows).
    init?(_ rows: OrderedRows, rest: ItemSearch, in chunks: ContiguousArray<IndexChunk>) {
        guard let points = rows.points(in: chunks) else { return nil }
        self.rest = rest
        self.points = points
    }

    /// Calls `body` with the rows of a chunk that were found, and the points of all of them.
    func withPoints<Result>(
        ofChunk number: Int, count: Int, _ body: (ChunkBits, UnsafeBufferPointer<Int32>) -> Result
    ) -> Result {
        points.withUnsafeBufferPointer { all in
            let start = number * ChunkBits.capacity
            let points = UnsafeBufferPointer(rebasing: all[start..<start + ChunkBits.capacity])
            return body(ChunkBits(first: count).filter(below: count) { points[$0] >= 0 }, points)
        }
    }
}

/// Where a row stands: the number of its chunk among those that are looked at, and its row there.
struct RowPlace: Hashable, Sendable {
    /// The place among all rows of the chunks.
    let number: UInt32

    init(number: UInt32) { self.number = number }

    init(chunk: Int, row: Int) { number = UInt32(chunk * ChunkBits.capacity + row) }

    var chunk: Int { Int(number) / ChunkBits.capacity }
    var row: Int { Int(number) % ChunkBits.capacity }
}

/// All rows of an index in an order, to be looked through by the next search: that is faster than
/// sorting what it finds.
struct SortedPlaces: Sendable {
    let order: ItemOrder
    let chunks: ContiguousArray<IndexChunk>
    /// The places as ``RowPlace/number``.
    let numbers: [UInt32]

    /// Whether these are all rows of `chunks` in `order`. O(chunks).
    func isOrder(_ order: ItemOrder, of chunks: ContiguousArray<IndexChunk>) -> Bool {
        self.order == order && self.chunks.elementsEqual(chunks, by: ===)
    }
}

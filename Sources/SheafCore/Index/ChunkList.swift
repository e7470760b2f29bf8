/// A part of a long list, of which some rows are shown.
protocol ListChunk: Sendable {
    /// How many rows of it are shown.
    var shown: Int { get }
}

/// A long list in chunks, which a copy shares: an edit of one chunk copies some hundred references
/// and not as many as there are chunks, however long the list.
///
/// Two levels: chunks stand in blocks of up to 128. With 256 rows to a chunk, a million rows are
/// some 80 blocks.
struct ChunkList<Chunk: ListChunk>: Sendable {
    private struct Block: Sendable {
        var chunks: ContiguousArray<Chunk>
        var shown: Int

        init(_ chunks: some Sequence<Chunk>) {
            self.chunks = ContiguousArray(chunks)
            shown = self.chunks.reduce(0) { $0 + $1.shown }
        }
    }

    /// Where a chunk stands. It holds until a chunk is added or removed.
    struct Place: Hashable, Sendable {
        fileprivate var block: Int
        fileprivate var chunk: Int
    }

    private static var capacity: Int { 128 }

    private var blocks: ContiguousArray<Block> = []
    /// The number of rows shown. O(1).
    private(set) var shown = 0

    init() {}

    /// The list of `chunks`. O(chunks).
    init(_ chunks: [Chunk]) {
        for start in stride(from: 0, to: chunks.count, by: Self.capacity / 2) {
            let block = Block(chunks[start..<min(start + Self.capacity / 2, chunks.count)])
            blocks.append(block)
            shown += block.shown
        }
    }

    // MARK: Reading

    var isEmpty: Bool { blocks.isEmpty }

    subscript(place: Place) -> Chunk { blocks[place.block].chunks[place.chunk] }

    /// The last chunk that begins where `isBefore` holds, or else the first; nil if there is none.
    /// `isBefore` holds for the chunks up to some place, and for none after. O(log chunks).
    func lastPlace(where isBefore: (Chunk) -> Bool) -> Place? {
        guard !blocks.isEmpty else { return nil }
        let block = max(blocks.partitionIndex { isBefore($0.chunks[0]) } - 1, 0)
        let chunk = max(blocks[block].chunks.partitionIndex(where: isBefore) - 1, 0)
        return Place(block: block, chunk: chunk)
    }

    /// How many rows are shown before a chunk. O(blocks).
    func shown(before place: Place) -> Int {
        var count = 0
        for block in 0..<place.block { count += blocks[block].shown }
        for chunk in 0..<place.chunk { count += blocks[place.block].chunks[chunk].shown }
        return count
    }

    /// The chunk that holds a shown row, and which of those that it shows; nil if there is no such
    /// row. O(blocks).
    func place(ofRow row: Int) -> (place: Place, rest: Int)? {
        guard row >= 0, row < shown else { return nil }
        var rest = row
        var block = 0
        while rest >= blocks[block].shown {
            rest -= blocks[block].shown
            block += 1
        }
        var chunk = 0
        while rest >= blocks[block].chunks[chunk].shown {
            rest -= blocks[block].chunks[chunk].shown
            chunk += 1
        }
        return (Place(block: block, chunk: chunk), rest)
    }

    /// How many chunks stand before one. O(blocks).
    func number(of place: Place) -> Int {
        blocks[..<place.block].reduce(place.chunk) { $0 + $1.chunks.count }
    }

    /// The chunk after this one, or nil after the last.
    func place(after place: Place) -> Place? {
        if place.chunk + 1 < blocks[place.block].chunks.count {
            return Place(block: place.block, chunk: place.chunk + 1)
        }
        guard place.block + 1 < blocks.count else { return nil }
        return Place(block: place.block + 1, chunk: 0)
    }

    /// All chunks in order. O(chunks).
    var chunks: [Chunk] { blocks.flatMap(\.chunks) }

    // MARK: Editing

    /// Puts `chunks`, of which there may be none, in the place of one. O(blocks).
    mutating func replace(_ place: Place, with chunks: [Chunk]) {
        var block = blocks[place.block]
        blocks[place.block].chunks = []
        let old = block.shown
        if chunks.count == 1 {
            block.shown += chunks[0].shown - block.chunks[place.chunk].shown
            block.chunks[place.chunk] = chunks[0]
        } else {
            block.chunks.replaceSubrange(place.chunk...place.chunk, with: chunks)
            block = Block(block.chunks)
        }
        shown += block.shown - old
        if block.chunks.isEmpty {
            blocks.remove(at: place.block)
        } else if block.chunks.count <= Self.capacity {
            blocks[place.block] = block
        } else {
            let parts = stride(from: 0, to: block.chunks.count, by: Self.capacity / 2).map {
                Block(block.chunks[$0..<min($0 + Self.capacity / 2, block.chunks.count)])
            }
            blocks.replaceSubrange(place.block...place.block, with: parts)
        }
    }
}

/// The row of the `count` of a chunk at which `isBefore` finds something to be, or would: it says
/// whether that stands before a row, or nil of the row that it is. O(log `count`).
func findRow(
    among count: Int, _ isBefore: (Int) -> Bool?
) -> (row: Int, isPresent: Bool) {
    var low = 0
    var high = count
    while low < high {
        let middle = (low + high) / 2
        switch isBefore(middle) {
        case nil: return (middle, true)
        case true?: high = middle
        case false?: low = middle + 1
        }
    }
    return (low, false)
}

extension RandomAccessCollection where Index == Int {
    /// The first index at which `isBefore` does not hold, which holds up to some place only. O(log
    /// n).
    func partitionIndex(where isBefore: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

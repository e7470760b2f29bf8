import CBytes
import Swidux

/// The items of a chunk, in blocks of some 24.
///
/// A chunk that is copied for an edit shares all blocks but one. To count the owners of 200
/// items up, which lie anywhere, took longer than all else that an edit asks of an index.
struct ChunkItems: Sendable {
    fileprivate typealias Block = ContiguousArray<SharedEntity<Item>>

    /// A block that is made of items has so many, and none has twice as many.
    fileprivate static let blockSize = 24
    fileprivate static let mostBlocks = 16

    /// Where an item has its texts, after an object's header and the id, and where its times.
    private static let textsOffset = 32
    private static let timesOffset = 64

    private var blocks: ContiguousArray<Block> = []
    /// The last row of each block, and 255 where there is none.
    private var lastRows = SIMD16<UInt8>(repeating: .max)
    /// The rank of the first item of each block.
    private var firstRanks: ContiguousArray<Rank> = []
    private(set) var count = 0

    init() {}

    /// - Parameter blocks: at most ``mostBlocks``, none of them empty.
    fileprivate init(_ blocks: ContiguousArray<Block>) {
        self.blocks = blocks
        firstRanks = ContiguousArray(blocks.map { $0[0].value.rank })
        countRows()
    }

    private mutating func countRows() {
        lastRows = SIMD16(repeating: .max)
        count = 0
        for (number, block) in blocks.enumerated() {
            count += block.count
            lastRows[number] = UInt8(count - 1)
        }
    }

    /// The item at a row, which must exist. O(1).
    subscript(row: Int) -> SharedEntity<Item> {
        get {
            let block = block(of: row)
            return blocks[block][row - firstRow(of: block)]
        }
        set {
            let block = block(of: row)
            let place = row - firstRow(of: block)
            if place == 0 { firstRanks[block] = newValue.value.rank }
            blocks[block][place] = newValue
        }
    }

    /// The rank of the first item, or nil if there is none.
    var firstRank: Rank? { firstRanks.first }

    // MARK: Editing

    /// Puts an item before a row. O(blocks), and O(items) where there is no room in a block.
    mutating func insert(_ item: SharedEntity<Item>, at row: Int) {
        let number = row == count ? blocks.count - 1 : block(of: row)
        if number >= 0, blocks[number].count < 2 * Self.blockSize - 1 {
            let place = row - firstRow(of: number)
            if place == 0 { firstRanks[number] = item.value.rank }
            blocks[number].insertSparingly(item, at: place)
            return moveRows(from: number, by: 1)
        }
        var builder = ChunkItemsBuilder()
        builder.append(self, 0..<row)
        builder.append(item)
        builder.append(self, row..<count)
        self = builder.items()
    }

    /// Takes a row out. O(blocks).
    mutating func remove(_ row: Int) {
        let number = block(of: row)
        if blocks[number].count == 1 {
            blocks.remove(at: number)
            firstRanks.remove(at: number)
            return countRows()
        }
        let place = row - firstRow(of: number)
        blocks[number].remove(at: place)
        if place == 0 { firstRanks[number] = blocks[number][0].value.rank }
        moveRows(from: number, by: -1)
    }

    private mutating func moveRows(from block: Int, by distance: Int) {
        count += distance
        for number in block..<blocks.count {
            lastRows[number] = UInt8(Int(lastRows[number]) + distance)
        }
    }

    // MARK: Reading

    /// Those of `rows` for which, and for whose name and note in UTF-8, `isIncluded` holds.
    @inline(__always) func filter(
        _ rows: ChunkBits,
        _ isIncluded: (Int, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> ChunkBits {
        withPlaces(of: rows, fetching: Self.textsOffset) { places in
            for place in places { SharedEntity.withValue(at: place) { $0.texts.prefetch() } }
            var count = 0
            return rows.filter { row in
                defer { count &+= 1 }
                return SharedEntity.withValue(at: places[count]) { item in
                    item.texts.withUTF8 { isIncluded(row, $0, $1) }
                }
            }
        }
    }

    /// Calls `body` with each of `rows`, ascending, and its item.
    @inline(__always) func forEach(_ rows: ChunkBits, _ body: (Int, borrowing Item) -> Void) {
        withPlaces(of: rows, fetching: Self.timesOffset) { places in
            var count = 0
            rows.forEach { row in
                SharedEntity.withValue(at: places[count]) { body(row, $0) }
                count &+= 1
            }
        }
    }

    /// Calls `body` with where the items of `rows` are until it returns.
    ///
    /// Items lie anywhere in memory: what stands at `offset` in them is asked for before the first
    /// is waited for, and none gets an owner, for to count one takes as long again.
    @inline(__always) private func withPlaces<Result>(
        of rows: ChunkBits, fetching offset: Int,
        _ body: (UnsafeMutableBufferPointer<UnsafePointer<SharedEntity<Item>>>) -> Result
    ) -> Result {
        precondition(rows.subtracting(ChunkBits(first: count)).isEmpty, "rows beyond the items")
        return withExtendedLifetime(blocks) {
            withUnsafeTemporaryAllocation(
                of: UnsafePointer<SharedEntity<Item>>.self, capacity: rows.count
            ) { places in
                var count = 0
                blocks.withUnsafeBufferPointer { blocks in
                    // The blocks lie anywhere as well.
                    var (block, start) = (0, 0)
                    rows.forEach { row in
                        while row > lastRows[block] {
                            start = Int(lastRows[block]) &+ 1
                            block &+= 1
                        }
                        // Nothing is done in the closure, so that the block gets no owner.
                        let items = (blocks.baseAddress! + block).pointee
                            .withUnsafeBufferPointer { $0.baseAddress! }
                        let place = items + (row &- start)
                        cbytes_prefetch(place)
                        places[count] = place
                        count &+= 1
                    }
                }
                for place in places { cbytes_prefetch(SharedEntity.address(at: place) + offset) }
                return body(places)
            }
        }
    }

    /// The row at which an item stands in manual order, or would, and whether it is there.
    ///
    /// What is looked at is asked for ahead and gets no owner. O(log blocks).
    func position(of item: Item) -> (row: Int, isPresent: Bool) {
        let rank = item.rank
        let number = firstRanks.indices.partitionIndex { number in
            let first = firstRanks[number]
            return first == rank ? !(follows(item, number, 0) ?? false) : first < rank
        }
        let block = max(number - 1, 0)
        blocks[block].withUnsafeBufferPointer { items in
            for row in items.indices {
                cbytes_prefetch(SharedEntity.address(at: items.baseAddress! + row))
            }
        }
        let found = findRow(among: blocks[block].count) { follows(item, block, $0) }
        return (firstRow(of: block) + found.row, found.isPresent)
    }

    /// Whether the item at a row of a block comes after `item`; nil if it is that very item.
    private func follows(_ item: Item, _ block: Int, _ row: Int) -> Bool? {
        blocks[block].withUnsafeBufferPointer {
            SharedEntity.withValue(at: $0.baseAddress! + row) {
                ItemOrder.manual.precedesManually(item, $0)
            }
        }
    }

    private func block(of row: Int) -> Int {
        let isBefore = lastRows .< SIMD16(repeating: UInt8(truncatingIfNeeded: row))
        return Int(SIMD16<UInt8>.zero.replacing(with: 1, where: isBefore).wrappedSum())
    }

    private func firstRow(of block: Int) -> Int { block == 0 ? 0 : Int(lastRows[block - 1]) + 1 }

    /// Calls `body` with the blocks that have any of `rows`, and with which of theirs those are.
    fileprivate func forEachBlock(of rows: Range<Int>, _ body: (Block, Range<Int>) -> Void) {
        guard let first = rows.first else { return }
        var block = block(of: first)
        var start = firstRow(of: block)
        while start < rows.upperBound {
            let items = blocks[block]
            body(items, rows.clamped(to: start..<start + items.count).shifted(by: -start))
            start += items.count
            block += 1
        }
    }
}

/// Makes the items of chunks of single ones, and of rows of other chunks.
struct ChunkItemsBuilder: ~Copyable {
    private var blocks: ContiguousArray<ChunkItems.Block> = []
    /// The last block, which is not full.
    private var open: ChunkItems.Block = []
    /// Whether rows of another chunk are among them: then blocks stay as they are, if they can.
    private var hasOthers = false
    private(set) var count = 0

    init() {}

    mutating func append(_ item: SharedEntity<Item>) {
        if !hasOthers, open.count == ChunkItems.blockSize { close() }
        add(item)
        count += 1
    }

    /// Appends rows of another chunk. O(blocks), and no more than two of them are copied.
    mutating func append(_ other: ChunkItems, _ rows: Range<Int>) {
        hasOthers = true
        other.forEachBlock(of: rows) { block, range in
            if range.count == block.count {
                close()
                blocks.append(block)
            } else {
                for row in range { add(block[row]) }
            }
        }
        count += rows.count
    }

    private mutating func add(_ item: SharedEntity<Item>) {
        if open.count == 2 * ChunkItems.blockSize { close() }
        // One more than a block, for an insertion.
        if open.isEmpty { open.reserveCapacity(ChunkItems.blockSize + 1) }
        open.append(item)
    }

    private mutating func close() {
        guard !open.isEmpty else { return }
        if open.count > ChunkItems.blockSize * 3 / 2 {
            let half = open.count / 2
            blocks.append(ChunkItems.Block(open[..<half]))
            blocks.append(ChunkItems.Block(open[half...]))
        } else {
            blocks.append(open.fitting)
        }
        open = []
    }

    /// The items that were appended since the last ones.
    mutating func items() -> ChunkItems {
        defer { self = ChunkItemsBuilder() }
        close()
        if blocks.count > ChunkItems.mostBlocks {
            let all = blocks
            self = ChunkItemsBuilder()
            for item in all.joined() { append(item) }
            close()
        }
        return ChunkItems(blocks)
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range {
        lowerBound + distance..<upperBound + distance
    }
}

import CBytes
import Swidux

/// Up to 256 items in the order of a list, with what searching looks at side by side.
///
/// To whoever shares it, it never changes, so that searches on other threads go on over theirs: an
/// ``IndexLeaf`` changes only what nobody else holds, and a copy otherwise.
///
/// Unchecked for that reason, and so is the access to its columns.
final class IndexChunk: @unchecked Sendable {
    @exclusivity(unchecked)
    fileprivate(set) var columns: ChunkColumns

    fileprivate init(_ columns: ChunkColumns) { self.columns = columns }

    var count: Int { columns.items.count }

    /// Whether its names are longer than a line of a processor's memory, on average.
    var hasLongNames: Bool { columns.names.count > 64 * count }

    /// The bytes of all notes. O(notes).
    var noteBytes: Int { columns.notes.values.reduce(0) { $0 + Int($1.length) } }

    /// Calls `body` with the folded names of its rows, which are there until it returns.
    @inline(__always) func withNames<Result>(_ body: (ChunkNames) -> Result) -> Result {
        columns.names.withUnsafeBufferPointer { bytes in
            columns.nameEnds.withUnsafeBufferPointer { body(ChunkNames(bytes: bytes, ends: $0)) }
        }
    }

    /// Calls `body` with the folded name of a row.
    func withName<Result>(
        _ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        columns.names.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[columns.nameRange(row)]))
        }
    }
}

/// A chunk of an index, with those of its rows that are shown.
struct IndexLeaf: ListChunk {
    private(set) var chunk: IndexChunk
    /// The rank of its first item, which lies anywhere: a place is looked for among some twenty
    /// leaves.
    private(set) var firstRank: Rank?
    var bits: ChunkBits { didSet { shown = bits.count } }
    private(set) var shown: Int

    fileprivate init(_ chunk: IndexChunk, _ bits: ChunkBits) {
        self.chunk = chunk
        firstRank = chunk.columns.items.firstRank
        self.bits = bits
        shown = bits.count
    }

    static func prefetch(at place: UnsafePointer<IndexLeaf>) {
        // A reference to the chunk would count it up, which is what the memory is fetched for.
        let offset = MemoryLayout<IndexLeaf>.offset(of: \.chunk) ?? 0
        cbytes_prefetch(
            (UnsafeRawPointer(place) + offset).load(as: Unmanaged<IndexChunk>.self).toOpaque())
    }

    /// The same chunk with other rows shown.
    func showing(_ bits: ChunkBits) -> IndexLeaf {
        var leaf = self
        leaf.bits = bits
        return leaf
    }

    // MARK: Editing

    /// Puts an item in the place of the one at a row.
    ///
    /// - Parameter tags: the numbers of its tags, or nil if those are the same.
    mutating func replace(
        _ row: Int, with item: SharedEntity<Item>, isShown: Bool, tags: [UInt32]?
    ) {
        bits[row] = isShown
        edit { $0.replace(row, with: item, tags: tags) }
    }

    /// Puts an item before a row; there must be room for one more.
    mutating func insert(
        _ item: SharedEntity<Item>, at row: Int, isShown: Bool, tags: [UInt32]
    ) {
        bits.insertRow(row)
        bits[row] = isShown
        edit { $0.insert(item, at: row, tags: tags) }
    }

    /// Takes a row out, which must not be the only one.
    mutating func remove(_ row: Int) {
        bits.removeRow(row)
        edit { $0.remove(row) }
    }

    private mutating func edit(_ change: (inout ChunkColumns) -> Void) {
        if isKnownUniquelyReferenced(&chunk) {
            change(&chunk.columns)
        } else {
            var columns = chunk.columns
            change(&columns)
            chunk = IndexChunk(columns)
        }
        firstRank = chunk.columns.items.firstRank
    }
}

/// The folded names of a chunk while they stay where they are.
struct ChunkNames {
    /// All of them in a row.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where each of them ends.
    let ends: UnsafeBufferPointer<UInt32>

    /// The name of a row.
    @inline(__always) subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
        let start = row == 0 ? 0 : Int(ends[row &- 1])
        return UnsafeBufferPointer(rebasing: bytes[start..<Int(ends[row])])
    }
}

/// Makes chunks of items, and of rows of other chunks.
struct ChunkBuilder: ~Copyable {
    /// So full are the chunks of a long row of items, to leave room for insertions.
    static let fill = 192

    private var columns = ChunkColumns()
    private var items = ChunkItemsBuilder()
    private var tags = TagRowsBuilder()
    private var bits = ChunkBits()
    private var folded: [UInt8] = []

    init() {}

    var count: Int { items.count }

    mutating func append(
        _ shared: SharedEntity<Item>, isShown: Bool = true, _ numbers: inout TagNumbers
    ) {
        columns.reserve(rows: Self.fill, bytes: 0)
        let item = shared.value
        let row = count
        columns.append(item, &folded)
        for tag in item.tags { tags.insert(numbers.number(of: tag), at: row) }
        bits[row] = isShown
        items.append(shared)
    }

    /// Appends rows of another chunk.
    mutating func append(_ leaf: IndexLeaf, _ rows: Range<Int>) {
        let others = leaf.chunk
        // Most often the chunk is made anew for one item.
        columns.reserve(rows: others.count + 1, bytes: others.columns.names.count + 64)
        columns.append(others.columns, rows)
        tags.append(others.columns.tags, rows, at: count)
        bits.append(leaf.bits, rows, at: count)
        items.append(others.columns.items, rows)
    }

    /// The chunk of what was appended since the last one.
    mutating func leaf() -> IndexLeaf {
        columns.items = items.items()
        columns.tags = tags.tagRows()
        columns.fit()
        defer {
            columns = ChunkColumns()
            bits = ChunkBits()
        }
        return IndexLeaf(IndexChunk(columns), bits)
    }
}

/// A part of a long list, of which some rows are shown.
protocol ListChunk: Sendable {
    /// How many rows of it are shown.
    var shown: Int { get }

    /// Prefetches the object whose owners a copy of the part counts up.
    static func prefetch(at place: UnsafePointer<Self>)
}

extension ListChunk {
    static func prefetch(at place: UnsafePointer<Self>) {}
}

/// Parts of a list side by side, which are a part of it themselves.
private struct ChunkRow<Part: ListChunk>: ListChunk {
    private(set) var parts: ContiguousArray<Part>
    private(set) var shown: Int

    /// More parts are divided between several rows.
    static var capacity: Int { 32 }

    init(_ parts: some Sequence<Part>) {
        self.parts = ContiguousArray(parts)
        shown = self.parts.reduce(0) { $0 + $1.shown }
    }

    /// So many rows as `parts` need, of which each has room for more: none for none.
    static func rows(of parts: some RandomAccessCollection<Part>) -> [ChunkRow] {
        guard parts.count > capacity else { return parts.isEmpty ? [] : [ChunkRow(parts)] }
        var rest = parts[...]
        var rows: [ChunkRow] = []
        while !rest.isEmpty {
            rows.append(ChunkRow(rest.prefix(capacity / 2 + 1)))
            rest = rest.dropFirst(capacity / 2 + 1)
        }
        return rows
    }

    /// Calls `body` with where a part is until it returns. A copy would count up the owners of what
    /// it holds, which lies anywhere: that takes as long as an access to memory.
    @inline(__always)
    func withPart<Result>(_ index: Int, _ body: (UnsafePointer<Part>) -> Result) -> Result {
        parts.withUnsafeBufferPointer { parts in
            precondition(parts.indices.contains(index), "no such part")
            return body(parts.baseAddress! + index)
        }
    }

    /// The last part at which `isBefore` holds, or else the first.
    @inline(__always)
    func lastIndex(where isBefore: (UnsafePointer<Part>) -> Bool) -> Int {
        max(parts.indices.partitionIndex { withPart($0, isBefore) } - 1, 0)
    }

    func shown(before index: Int) -> Int { parts[..<index].reduce(0) { $0 + $1.shown } }

    /// The part that holds a shown row, which must exist, and which of those that it shows.
    func index(ofRow row: Int) -> (index: Int, rest: Int) {
        var rest = row
        var index = 0
        while rest >= parts[index].shown {
            rest -= parts[index].shown
            index += 1
        }
        return (index, rest)
    }

    /// Changes a part in place.
    mutating func change<Result>(_ index: Int, _ body: (inout Part) -> Result) -> Result {
        shown -= parts[index].shown
        defer { shown += parts[index].shown }
        return body(&parts[index])
    }

    /// Puts other parts, of which there may be none or very many, in the place of one, and returns
    /// the rows that become of this one.
    func replacing(_ index: Int, with others: [Part]) -> [ChunkRow] {
        var parts = parts
        parts.replaceSubrange(index...index, with: others)
        return Self.rows(of: parts)
    }
}

/// A long list in chunks, which a copy shares: an edit of one chunk copies some fifty references
/// and not as many as there are chunks, however long the list. What they lead to lies anywhere, and
/// counting each up takes as long as an access to memory.
///
/// Three levels: chunks stand in groups and groups in blocks of up to 32. With 192 rows to a chunk,
/// a million rows are some 20 blocks.
struct ChunkList<Chunk: ListChunk>: Sendable {
    private typealias Group = ChunkRow<Chunk>
    private typealias Block = ChunkRow<Group>

    /// Where a chunk stands. It holds until a chunk is added or removed.
    struct Place: Hashable, Sendable {
        fileprivate var block: Int
        fileprivate var group: Int
        fileprivate var chunk: Int
    }

    private var blocks = ChunkRow<Block>([])

    /// The number of rows shown. O(1).
    var shown: Int { blocks.shown }

    init() {}

    /// The list of `chunks`. O(chunks).
    init(_ chunks: [Chunk]) { blocks = ChunkRow(Block.rows(of: Group.rows(of: chunks))) }

    // MARK: Reading

    var isEmpty: Bool { blocks.parts.isEmpty }

    subscript(place: Place) -> Chunk {
        blocks.parts[place.block].parts[place.group].parts[place.chunk]
    }

    /// Calls `body` with where a chunk is until it returns, which so gets no further owner.
    @inline(__always)
    func withChunk<Result>(_ place: Place, _ body: (UnsafePointer<Chunk>) -> Result) -> Result {
        blocks.withPart(place.block) { block in
            block.pointee.withPart(place.group) { $0.pointee.withPart(place.chunk, body) }
        }
    }

    /// The last chunk that begins where `isBefore` holds, or else the first; nil if there is none.
    /// `isBefore` holds for the chunks up to some place, and for none after. O(log chunks).
    @inline(__always)
    func lastPlace(where isBefore: (UnsafePointer<Chunk>) -> Bool) -> Place? {
        guard !isEmpty else { return nil }
        let block = blocks.lastIndex {
            $0.pointee.withPart(0) { $0.pointee.withPart(0, isBefore) }
        }
        return blocks.withPart(block) { groups in
            let group = groups.pointee.lastIndex { $0.pointee.withPart(0, isBefore) }
            let chunk = groups.pointee.withPart(group) { $0.pointee.lastIndex(where: isBefore) }
            return Place(block: block, group: group, chunk: chunk)
        }
    }

    /// How many rows are shown before a chunk. O(blocks).
    func shown(before place: Place) -> Int {
        let block = blocks.parts[place.block]
        return blocks.shown(before: place.block) + block.shown(before: place.group)
            + block.parts[place.group].shown(before: place.chunk)
    }

    /// The chunk that holds a shown row, and which of those that it shows; nil if there is no such
    /// row. O(blocks).
    func place(ofRow row: Int) -> (place: Place, rest: Int)? {
        guard row >= 0, row < shown else { return nil }
        let block = blocks.index(ofRow: row)
        let group = blocks.parts[block.index].index(ofRow: block.rest)
        let chunk = blocks.parts[block.index].parts[group.index].index(ofRow: group.rest)
        let place = Place(block: block.index, group: group.index, chunk: chunk.index)
        return (place, chunk.rest)
    }

    /// How many chunks stand before one. O(groups).
    func number(of place: Place) -> Int {
        let groups = blocks.parts[..<place.block].lazy.flatMap(\.parts)
        let others = blocks.parts[place.block].parts[..<place.group]
        return place.chunk + groups.reduce(0) { $0 + $1.parts.count }
            + others.reduce(0) { $0 + $1.parts.count }
    }

    /// The chunk after this one, or nil after the last.
    func place(after place: Place) -> Place? {
        let groups = blocks.parts[place.block].parts
        if place.chunk + 1 < groups[place.group].parts.count {
            return Place(block: place.block, group: place.group, chunk: place.chunk + 1)
        }
        if place.group + 1 < groups.count {
            return Place(block: place.block, group: place.group + 1, chunk: 0)
        }
        guard place.block + 1 < blocks.parts.count else { return nil }
        return Place(block: place.block + 1, group: 0, chunk: 0)
    }

    /// All chunks in order. O(chunks).
    var chunks: [Chunk] {
        var chunks: [Chunk] = []
        chunks.reserveCapacity(
            blocks.parts.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.parts.count } })
        for block in blocks.parts {
            for group in block.parts {
                group.parts.withUnsafeBufferPointer { parts in
                    for index in parts.indices { Chunk.prefetch(at: parts.baseAddress! + index) }
                    chunks += parts
                }
            }
        }
        return chunks
    }

    // MARK: Editing

    /// Changes a chunk in place. O(1), and O(blocks) where others share the list.
    mutating func change(_ place: Place, _ body: (inout Chunk) -> Void) {
        blocks.change(place.block) { block in
            block.change(place.group) { $0.change(place.chunk, body) }
        }
    }

    /// Puts `chunks`, of which there may be none, in the place of one. O(blocks).
    mutating func replace(_ place: Place, with chunks: [Chunk]) {
        if chunks.count == 1 { return change(place) { $0 = chunks[0] } }
        let block = blocks.parts[place.block]
        let groups = block.parts[place.group].replacing(place.chunk, with: chunks)
        var others = blocks.parts
        others.replaceSubrange(
            place.block...place.block, with: block.replacing(place.group, with: groups))
        blocks = ChunkRow(others)
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

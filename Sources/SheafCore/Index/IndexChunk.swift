import Swidux

/// Up to 256 items in the order of a list, with what searching looks at side by side.
///
/// It never changes: an edit makes another one, so that searches on other threads go on over
/// theirs.
final class IndexChunk: Sendable {
    let items: ContiguousArray<SharedEntity<Item>>
    /// The letters of each name: see ``LetterMask``.
    let letters: ContiguousArray<UInt64>
    /// The folded names in a row, and where each ends.
    let names: ContiguousArray<UInt8>
    let nameEnds: ContiguousArray<UInt32>
    /// The numbers of each item's tags in a row, and where they end.
    let tags: ContiguousArray<UInt32>
    let tagEnds: ContiguousArray<UInt32>
    /// Which items are done, and which have a note.
    let done: ChunkBits
    let noted: ChunkBits

    fileprivate init(_ builder: borrowing ChunkBuilder) {
        items = builder.items
        letters = builder.letters
        names = builder.names
        nameEnds = builder.nameEnds
        tags = builder.tags
        tagEnds = builder.tagEnds
        done = builder.done
        noted = builder.noted
    }

    var count: Int { items.count }

    /// Where the folded name of a row stands in ``names``.
    func nameRange(_ row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(nameEnds[row - 1]))..<Int(nameEnds[row])
    }

    /// Where the tags of a row stand in ``tags``.
    func tagRange(_ row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(tagEnds[row - 1]))..<Int(tagEnds[row])
    }
}

/// Makes chunks of items, and of rows of other chunks.
struct ChunkBuilder: ~Copyable {
    /// So full are the chunks of a long row of items, to leave room for insertions.
    static let fill = 192

    fileprivate var items: ContiguousArray<SharedEntity<Item>> = []
    fileprivate var letters: ContiguousArray<UInt64> = []
    fileprivate var names: ContiguousArray<UInt8> = []
    fileprivate var nameEnds: ContiguousArray<UInt32> = []
    fileprivate var tags: ContiguousArray<UInt32> = []
    fileprivate var tagEnds: ContiguousArray<UInt32> = []
    fileprivate var done = ChunkBits()
    fileprivate var noted = ChunkBits()
    private var folded: [UInt8] = []

    init() {}

    var count: Int { items.count }

    mutating func append(_ shared: SharedEntity<Item>, _ numbers: inout TagNumbers) {
        let item = shared.value
        let row = items.count
        folded.removeAll(keepingCapacity: true)
        FoldedText.append(item.name, to: &folded)
        names.append(contentsOf: folded)
        nameEnds.append(UInt32(names.count))
        letters.append(LetterMask.mask(of: folded))
        for tag in item.tags { tags.append(numbers.number(of: tag)) }
        tagEnds.append(UInt32(tags.count))
        if item.isDone { done[row] = true }
        if !item.note.isEmpty { noted[row] = true }
        items.append(shared)
    }

    /// Appends rows of another chunk.
    mutating func append(_ chunk: IndexChunk, _ rows: Range<Int>) {
        guard let first = rows.first, let last = rows.last else { return }
        let start = items.count
        items.append(contentsOf: chunk.items[rows])
        letters.append(contentsOf: chunk.letters[rows])
        let nameRange = chunk.nameRange(first).lowerBound..<chunk.nameRange(last).upperBound
        let nameShift = names.count - nameRange.lowerBound
        names.append(contentsOf: chunk.names[nameRange])
        let tagRange = chunk.tagRange(first).lowerBound..<chunk.tagRange(last).upperBound
        let tagShift = tags.count - tagRange.lowerBound
        tags.append(contentsOf: chunk.tags[tagRange])
        for row in rows {
            nameEnds.append(UInt32(Int(chunk.nameEnds[row]) + nameShift))
            tagEnds.append(UInt32(Int(chunk.tagEnds[row]) + tagShift))
            if chunk.done[row] { done[start + row - first] = true }
            if chunk.noted[row] { noted[start + row - first] = true }
        }
    }

    /// The chunk of what was appended since the last one.
    mutating func chunk() -> IndexChunk {
        defer { self = ChunkBuilder() }
        return IndexChunk(self)
    }
}

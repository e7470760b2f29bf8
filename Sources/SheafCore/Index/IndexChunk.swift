import Swidux

/// Up to 256 items in the order of a list, with what searching looks at side by side.
///
/// It never changes: an edit makes another one, so that searches on other threads go on over
/// theirs.
final class IndexChunk: Sendable {
    let items: ChunkItems
    let firstRank: Rank?
    /// The letters of each name: see ``LetterMask``.
    let letters: ContiguousArray<UInt64>
    /// The folded names in a row, and where each ends.
    let names: ContiguousArray<UInt8>
    let nameEnds: ContiguousArray<UInt32>
    /// How each name is spelled.
    let spellings: ContiguousArray<NameSpelling>
    let tags: TagRows
    /// Which items are done, and which have a note.
    let done: ChunkBits
    let noted: ChunkBits
    /// Which items repeat.
    let repeating: ChunkBits
    let due: ChunkColumn<CalendarDay>
    let scheduled: ChunkColumn<CalendarDay>
    let priority: ChunkColumn<Priority>
    /// The letters of each note: see ``LetterMask``. Items without one have none here.
    let noteLetters: ContiguousArray<UInt64>
    /// Which letters follow which in each of these notes.
    let notePairs: ContiguousArray<UInt64>
    /// The bytes of each of these notes.
    let noteLengths: ContiguousArray<UInt32>

    fileprivate init(_ builder: borrowing ChunkBuilder, _ items: ChunkItems, tags: TagRows) {
        self.items = items
        firstRank = items.count > 0 ? items[0].value.rank : nil
        letters = builder.letters.fitting
        names = builder.names.fitting
        nameEnds = builder.nameEnds.fitting
        spellings = builder.spellings.fitting
        self.tags = tags
        done = builder.done
        noted = builder.noted
        repeating = builder.repeating
        due = builder.due.fitting
        scheduled = builder.scheduled.fitting
        priority = builder.priority.fitting
        noteLetters = builder.noteLetters.fitting
        notePairs = builder.notePairs.fitting
        noteLengths = builder.noteLengths.fitting
    }

    var count: Int { items.count }

    subscript(field: DayField) -> ChunkColumn<CalendarDay> {
        switch field {
        case .due: due
        case .scheduled: scheduled
        }
    }

    /// Where the folded name of a row stands in ``names``.
    func nameRange(_ row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(nameEnds[row - 1]))..<Int(nameEnds[row])
    }

    /// Calls `body` with what gives the folded name of each row, which is there until it returns.
    @inline(__always) func withNames<Result>(
        _ body: ((Int) -> UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        names.withUnsafeBufferPointer { names in
            nameEnds.withUnsafeBufferPointer { ends in
                body { row in
                    let start = row == 0 ? 0 : Int(ends[row &- 1])
                    return UnsafeBufferPointer(rebasing: names[start..<Int(ends[row])])
                }
            }
        }
    }

    /// Calls `body` with the folded name of a row.
    func withName<Result>(
        _ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        names.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[nameRange(row)]))
        }
    }
}

/// Makes chunks of items, and of rows of other chunks.
struct ChunkBuilder: ~Copyable {
    /// So full are the chunks of a long row of items, to leave room for insertions.
    static let fill = 192

    private var items = ChunkItemsBuilder()
    fileprivate var letters: ContiguousArray<UInt64> = []
    fileprivate var names: ContiguousArray<UInt8> = []
    fileprivate var nameEnds: ContiguousArray<UInt32> = []
    fileprivate var spellings: ContiguousArray<NameSpelling> = []
    private var tags = TagRowsBuilder()
    fileprivate var done = ChunkBits()
    fileprivate var noted = ChunkBits()
    fileprivate var repeating = ChunkBits()
    fileprivate var due = ChunkColumn<CalendarDay>()
    fileprivate var scheduled = ChunkColumn<CalendarDay>()
    fileprivate var priority = ChunkColumn<Priority>()
    fileprivate var noteLetters: ContiguousArray<UInt64> = []
    fileprivate var notePairs: ContiguousArray<UInt64> = []
    fileprivate var noteLengths: ContiguousArray<UInt32> = []
    private var name: [UInt8] = []

    init() {}

    var count: Int { items.count }

    mutating func append(_ shared: SharedEntity<Item>, _ numbers: inout TagNumbers) {
        reserve(rows: Self.fill, bytes: 0)
        let item = shared.value
        let row = items.count
        item.texts.withUTF8 { append(name: $0, note: $1, at: row) }
        for tag in item.tags { tags.insert(numbers.number(of: tag), at: row) }
        if item.isDone { done[row] = true }
        if item.repeat != nil { repeating[row] = true }
        if let day = item.due { due.append(day, at: row) }
        if let day = item.scheduled { scheduled.append(day, at: row) }
        if let letter = item.priority { priority.append(letter, at: row) }
        items.append(shared)
    }

    private mutating func append(
        name: UnsafeBufferPointer<UInt8>, note: UnsafeBufferPointer<UInt8>, at row: Int
    ) {
        self.name.removeAll(keepingCapacity: true)
        FoldedText.append(name, keepsCase: false, to: &self.name)
        spellings.append(
            self.name.withUnsafeBufferPointer { NameSpelling(of: name, folded: $0) })
        names.append(contentsOf: self.name)
        nameEnds.append(UInt32(names.count))
        letters.append(LetterMask.mask(of: self.name))
        guard !note.isEmpty else { return }
        noted[row] = true
        noteLetters.append(LetterMask.mask(ofNote: note))
        notePairs.append(LetterMask.pairs(ofNote: note))
        noteLengths.append(UInt32(clamping: note.count))
    }

    /// Appends rows of another chunk.
    mutating func append(_ chunk: IndexChunk, _ rows: Range<Int>) {
        // Most often the chunk is made anew for one item.
        reserve(rows: chunk.count + 1, bytes: chunk.names.count + 64)
        guard let first = rows.first, let last = rows.last else { return }
        let start = items.count
        items.append(chunk.items, rows)
        letters.append(contentsOf: chunk.letters[rows])
        spellings.append(contentsOf: chunk.spellings[rows])
        let nameRange = chunk.nameRange(first).lowerBound..<chunk.nameRange(last).upperBound
        let nameShift = names.count - nameRange.lowerBound
        names.append(contentsOf: chunk.names[nameRange])
        for row in rows { nameEnds.append(UInt32(Int(chunk.nameEnds[row]) + nameShift)) }
        tags.append(chunk.tags, rows, at: start)
        let taken = ChunkBits(rows)
        func add(_ bits: ChunkBits, to all: inout ChunkBits) {
            all = all.union(bits.intersection(taken).shifted(by: start - first))
        }
        add(chunk.done, to: &done)
        add(chunk.noted, to: &noted)
        add(chunk.repeating, to: &repeating)
        due.append(chunk.due, rows, at: start)
        scheduled.append(chunk.scheduled, rows, at: start)
        priority.append(chunk.priority, rows, at: start)
        let notes = chunk.noted.count(before: first)..<chunk.noted.count(before: last + 1)
        noteLetters.append(contentsOf: chunk.noteLetters[notes])
        notePairs.append(contentsOf: chunk.notePairs[notes])
        noteLengths.append(contentsOf: chunk.noteLengths[notes])
    }

    /// Room for the rows of a chunk, where none is there yet: a chunk takes the arrays as they are
    /// unless much of them is spare.
    private mutating func reserve(rows: Int, bytes: Int) {
        guard letters.capacity == 0 else { return }
        letters.reserveCapacity(rows)
        spellings.reserveCapacity(rows)
        nameEnds.reserveCapacity(rows)
        names.reserveCapacity(bytes)
    }

    /// The chunk of what was appended since the last one.
    mutating func chunk() -> IndexChunk {
        let (items, tags) = (items.items(), tags.tagRows())
        let chunk = IndexChunk(self, items, tags: tags)
        letters = []
        names = []
        nameEnds = []
        spellings = []
        done = ChunkBits()
        noted = ChunkBits()
        repeating = ChunkBits()
        due = ChunkColumn()
        scheduled = ChunkColumn()
        priority = ChunkColumn()
        noteLetters = []
        notePairs = []
        noteLengths = []
        return chunk
    }
}

import Swidux

/// The parts of the items of a chunk that searches read: texts, states, days and tags, with one row
/// for each item. Columns depend only on the items, so they are valid for every query.
struct ItemColumns: Sendable {
    /// The maximum length, in bytes, of a note that `text` holds. Every search folds longer notes
    /// again.
    private static let longNote = 4_096

    /// The folded name and note of each row, each terminated by a zero byte.
    private(set) var text: [UInt8] = []
    /// The start of each row's texts, and the end of the last row's texts.
    private(set) var starts: ContiguousArray<Int> = [0]
    /// The end of each name.
    private(set) var nameEnds: ContiguousArray<Int> = []
    private(set) var longNotes = ChunkColumn<String>()
    private(set) var done = ChunkBits()
    private(set) var noted = ChunkBits()
    private(set) var repeating = ChunkBits()
    private(set) var due = ChunkColumn<CalendarDay>()
    private(set) var scheduled = ChunkColumn<CalendarDay>()
    private(set) var priority = ChunkColumn<Priority>()
    /// The rows that have any tag.
    private(set) var tagged = ChunkBits()
    /// The rows of each tag that any row has.
    private(set) var tags: [Tag.ID: ChunkBits] = [:]

    var count: Int { nameEnds.count }

    subscript(field: DayField) -> ChunkColumn<CalendarDay> {
        switch field {
        case .due: due
        case .scheduled: scheduled
        }
    }

    /// Calls `body` with the folded name of a row. The bytes are valid only within `body`.
    func withName<Result>(_ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[starts[row]..<nameEnds[row]]))
        }
    }

    /// Inserts a row. O(bytes of the chunk).
    mutating func insert(_ row: SearchedRow, at index: Int) {
        starts.insert(starts[index], at: index)
        nameEnds.insert(starts[index], at: index)
        if index < count - 1 { shift(at: index, up: true) }
        setTexts(of: row, at: index)
        setFields(of: row, at: index)
    }

    private mutating func shift(at index: Int, up: Bool) {
        longNotes.shift(at: index, up: up)
        done.shift(at: index, up: up)
        noted.shift(at: index, up: up)
        repeating.shift(at: index, up: up)
        due.shift(at: index, up: up)
        scheduled.shift(at: index, up: up)
        priority.shift(at: index, up: up)
        tagged.shift(at: index, up: up)
        for tag in tags.values.indices { tags.values[tag].shift(at: index, up: up) }
    }

    private mutating func setTexts(of row: SearchedRow, at index: Int) {
        var folded: [UInt8] = []
        folded.reserveCapacity(row.name.count + row.note.count + 2)
        FoldedText.append(row.name, to: &folded)
        let nameLength = folded.count
        folded.append(0)
        noted[index] = !row.note.isEmpty
        if row.note.count > Self.longNote {
            longNotes[index] = String(decoding: row.note, as: UTF8.self)
        } else {
            longNotes[index] = nil
            FoldedText.append(row.note, to: &folded)
            folded.append(0)
        }
        replaceText(at: index, with: folded, nameLength: nameLength)
    }

    private mutating func replaceText(
        at index: Int, with folded: [UInt8], nameLength: Int
    ) {
        let (start, end) = (starts[index], starts[index + 1])
        text.replaceSubrange(start..<end, with: folded)
        nameEnds[index] = start + nameLength
        let growth = folded.count - (end - start)
        guard growth != 0 else { return }
        for row in index + 1..<starts.count { starts[row] += growth }
        for row in index + 1..<count { nameEnds[row] += growth }
    }

    private mutating func setFields(of row: SearchedRow, at index: Int) {
        done[index] = row.doneAt != nil
        repeating[index] = row.isRepeating
        due[index] = row.due
        scheduled[index] = row.scheduled
        priority[index] = row.priority
        setTags(row.tags, isTagged: row.isTagged, at: index)
    }

    /// Replaces the tags of a row. O(tags of the chunk).
    private mutating func setTags(_ ids: Set<Tag.ID>, isTagged: Bool, at index: Int) {
        if tagged[index] {
            for (id, rows) in tags where rows[index] && !ids.contains(id) {
                tags[id]?[index] = false
                if tags[id]?.isEmpty ?? false { tags[id] = nil }
            }
        }
        tagged[index] = isTagged
        for id in ids { tags[id, default: ChunkBits()][index] = true }
    }
}

extension ItemColumns: ChunkColumns {
    init(_ items: ContiguousArray<SharedEntity<Item>>) {
        self.init()
        for item in items { insert(item, at: count) }
    }

    mutating func insert(_ item: SharedEntity<Item>, at index: Int) {
        item.value.withRow { insert($0, at: index) }
    }

    mutating func replace(_ old: SharedEntity<Item>, at index: Int, with new: SharedEntity<Item>) {
        new.value.withRow { row in
            if old.value.texts != new.value.texts { setTexts(of: row, at: index) }
            setFields(of: row, at: index)
        }
    }

    mutating func remove(at index: Int) {
        replaceText(at: index, with: [], nameLength: 0)
        starts.remove(at: index)
        nameEnds.remove(at: index)
        setTags([], isTagged: false, at: index)
        shift(at: index, up: false)
    }
}

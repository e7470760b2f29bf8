import Swidux

/// What searching looks at of the items of a chunk: a column for each, with a row for each item.
struct ChunkColumns: Sendable {
    // A builder makes these two, and hands them over when all rows are there.
    var items = ChunkItems()
    var tags = TagRows()
    /// The letters of each name: see ``LetterMask``.
    private(set) var letters: ContiguousArray<UInt64> = []
    /// The folded names in a row, and where each ends.
    private(set) var names: ContiguousArray<UInt8> = []
    private(set) var nameEnds: ContiguousArray<UInt32> = []
    /// How each name is spelled.
    private(set) var spellings: ContiguousArray<NameSpelling> = []
    /// Which items are done, and which repeat.
    private(set) var done = ChunkBits()
    private(set) var repeating = ChunkBits()
    private(set) var due = ChunkColumn<CalendarDay>()
    private(set) var scheduled = ChunkColumn<CalendarDay>()
    private(set) var priority = ChunkColumn<Priority>()
    private(set) var notes = ChunkColumn<NoteMasks>()

    /// What is known of a note before it is looked at.
    struct NoteMasks: Sendable {
        /// Its letters, and which of them follow which: see ``LetterMask``.
        let letters: UInt64
        let pairs: UInt64
        /// Its bytes in UTF-8.
        let length: UInt32

        fileprivate init?(_ note: UnsafeBufferPointer<UInt8>) {
            guard !note.isEmpty else { return nil }
            letters = LetterMask.mask(ofNote: note)
            pairs = LetterMask.pairs(ofNote: note)
            length = UInt32(clamping: note.count)
        }
    }

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

    // MARK: Building

    /// Adds a row after those before.
    ///
    /// - Parameter folded: room for a folded name, which keeps its memory between calls.
    mutating func append(_ item: Item, _ folded: inout [UInt8]) {
        let row = letters.count
        item.texts.withUTF8 { name, note in
            let (mask, spelling) = Self.fold(name, to: &folded)
            letters.append(mask)
            spellings.append(spelling)
            names.append(contentsOf: folded)
            nameEnds.append(UInt32(names.count))
            notes.append(NoteMasks(note), at: row)
        }
        if item.isDone { done[row] = true }
        if item.repeat != nil { repeating[row] = true }
        due.append(item.due, at: row)
        scheduled.append(item.scheduled, at: row)
        priority.append(item.priority, at: row)
    }

    private static func fold(
        _ name: UnsafeBufferPointer<UInt8>, to folded: inout [UInt8]
    ) -> (letters: UInt64, spelling: NameSpelling) {
        folded.removeAll(keepingCapacity: true)
        FoldedText.append(name, keepsCase: false, to: &folded)
        let spelling = folded.withUnsafeBufferPointer { NameSpelling(of: name, folded: $0) }
        return (LetterMask.mask(of: folded), spelling)
    }

    /// Adds rows of another chunk.
    mutating func append(_ other: ChunkColumns, _ rows: Range<Int>) {
        guard let first = rows.first, let last = rows.last else { return }
        let start = letters.count
        letters.append(contentsOf: other.letters[rows])
        spellings.append(contentsOf: other.spellings[rows])
        let bytes = other.nameRange(first).lowerBound..<other.nameRange(last).upperBound
        let shift = names.count - bytes.lowerBound
        names.append(contentsOf: other.names[bytes])
        for row in rows { nameEnds.append(UInt32(Int(other.nameEnds[row]) + shift)) }
        done.append(other.done, rows, at: start)
        repeating.append(other.repeating, rows, at: start)
        due.append(other.due, rows, at: start)
        scheduled.append(other.scheduled, rows, at: start)
        priority.append(other.priority, rows, at: start)
        notes.append(other.notes, rows, at: start)
    }

    /// Makes room, where none is there yet: a chunk takes the columns as they are unless much of
    /// them is spare.
    mutating func reserve(rows: Int, bytes: Int) {
        guard letters.capacity == 0 else { return }
        letters.reserveCapacity(rows)
        spellings.reserveCapacity(rows)
        nameEnds.reserveCapacity(rows)
        names.reserveCapacity(bytes)
    }

    /// Gives back the room that is spare.
    mutating func fit() {
        letters = letters.fitting
        names = names.fitting
        nameEnds = nameEnds.fitting
        spellings = spellings.fitting
        due.fit()
        scheduled.fit()
        priority.fit()
        notes.fit()
    }

    // MARK: Editing

    /// Puts an item in the place of the one at a row. O(bytes of the names).
    ///
    /// - Parameter tags: the numbers of its tags, or nil if those are the same.
    mutating func replace(_ row: Int, with item: SharedEntity<Item>, tags: [UInt32]?) {
        let (old, new) = (items[row].value, item.value)
        items[row] = item
        if let tags { self.tags.set(tags, at: row) }
        if old.texts != new.texts { setTexts(new.texts, at: row) }
        setFields(new, at: row)
    }

    /// Puts an item before a row. O(bytes of the names).
    mutating func insert(_ item: SharedEntity<Item>, at row: Int, tags: [UInt32]) {
        let value = item.value
        items.insert(item, at: row)
        self.tags.insertRow(row)
        self.tags.set(tags, at: row)
        letters.insertSparingly(0, at: row)
        spellings.insertSparingly(.other, at: row)
        nameEnds.insertSparingly(row == 0 ? 0 : nameEnds[row - 1], at: row)
        done.insertRow(row)
        repeating.insertRow(row)
        due.insertRow(row)
        scheduled.insertRow(row)
        priority.insertRow(row)
        notes.insertRow(row)
        setTexts(value.texts, at: row)
        setFields(value, at: row)
    }

    /// Takes a row out. O(bytes of the names).
    mutating func remove(_ row: Int) {
        items.remove(row)
        tags.removeRow(row)
        replaceName(row, with: [])
        letters.remove(at: row)
        spellings.remove(at: row)
        nameEnds.remove(at: row)
        done.removeRow(row)
        repeating.removeRow(row)
        due.removeRow(row)
        scheduled.removeRow(row)
        priority.removeRow(row)
        notes.removeRow(row)
    }

    private mutating func setTexts(_ texts: ItemTexts, at row: Int) {
        texts.withUTF8 { name, note in
            var folded: [UInt8] = []
            (letters[row], spellings[row]) = Self.fold(name, to: &folded)
            replaceName(row, with: folded)
            notes.set(NoteMasks(note), at: row)
        }
    }

    private mutating func setFields(_ item: Item, at row: Int) {
        done[row] = item.isDone
        repeating[row] = item.repeat != nil
        due.set(item.due, at: row)
        scheduled.set(item.scheduled, at: row)
        priority.set(item.priority, at: row)
    }

    private mutating func replaceName(_ row: Int, with folded: [UInt8]) {
        let range = nameRange(row)
        let growth = folded.count - range.count
        names.reserveSparingly(names.count + growth)
        names.replaceSubrange(range, with: folded)
        guard growth != 0 else { return }
        for row in row..<nameEnds.count {
            nameEnds[row] = UInt32(truncatingIfNeeded: Int(nameEnds[row]) &+ growth)
        }
    }
}

extension ContiguousArray {
    /// Itself, or a copy with no room for more where a quarter of it and more is spare.
    var fitting: ContiguousArray {
        capacity - count <= capacity / 4 ? self : withUnsafeBufferPointer { ContiguousArray($0) }
    }

    /// Has room for `count`, and for an eighth more where it had not: the columns of a long list
    /// would take twice their memory if each grew by half.
    mutating func reserveSparingly(_ count: Int) {
        if capacity > 0, capacity < count { reserveCapacity(count + count / 8) }
    }

    mutating func insertSparingly(_ element: Element, at index: Int) {
        reserveSparingly(count + 1)
        insert(element, at: index)
    }
}

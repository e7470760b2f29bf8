import Swidux

/// Items in manual order.
typealias ItemSequence = ChunkedArray<SharedEntity<Item>>
/// Up to 512 items that are adjacent in the manual order: a chunk of the store, with the columns
/// that searches read.
typealias ItemChunk = Chunk<SharedEntity<Item>>

extension ItemSequence {
    /// Returns the numbers of the chunks that only one of the two sequences contains.
    func changedChunks(since older: ItemSequence) -> (old: [Int], new: [Int]) {
        changedChunks(since: older) { $0.value.position < $1.value.position }
    }

    /// Returns the place of an item at its present position, or `nil` if it is not there. O(log n).
    func place(of item: Item) -> Place? {
        let position = item.position
        let place = place { $0.value.position < position }
        return self[place]?.value.position == position ? place : nil
    }
}

/// Rows that a search reads: columns, and the values that queries rarely ask for.
protocol SearchedRows {
    var count: Int { get }
    var columns: ItemColumns { get }
    func time(_ field: TimeField, ofRow row: Int) -> Timestamp?
    /// Returns the text of a field other than name and note, or `nil`.
    func text(ofField name: String, ofRow row: Int) -> String?
}

extension ItemChunk: SearchedRows {
    /// The columns that searches read. O(1) once they are built; building them is O(bytes of the
    /// texts).
    var columns: ItemColumns { columns(as: ItemColumns.self) }

    func time(_ field: TimeField, ofRow row: Int) -> Timestamp? {
        elements[row].value.time(field)
    }

    func text(ofField name: String, ofRow row: Int) -> String? {
        Item.fields.first { $0.name == name }?.lineSpelling?.get(elements[row].value)
    }
}

extension Item {
    /// Returns the time that the field denotes, or `nil` if the item has none.
    fileprivate func time(_ field: TimeField) -> Timestamp? {
        switch field {
        case .created: createdAt
        case .changed: updatedAt
        case .done: doneAt
        }
    }

    /// Calls `body` with the parts of the item that columns store.
    fileprivate func withRow(_ body: (SearchedRow) -> Void) {
        texts.withUTF8 { name, note in
            body(
                SearchedRow(
                    name: name, note: note, tags: tags, isDone: isDone, due: due,
                    scheduled: scheduled, priority: priority, isRepeating: `repeat` != nil))
        }
    }
}

extension ItemColumns: ChunkColumns {
    init(_ items: ContiguousArray<SharedEntity<Item>>) {
        self.init()
        for item in items { item.value.withRow { append($0) } }
    }

    mutating func insert(_ item: SharedEntity<Item>, at index: Int) {
        item.value.withRow { insert($0, at: index) }
    }

    mutating func replace(_ old: SharedEntity<Item>, at index: Int, with new: SharedEntity<Item>) {
        let keepsTexts = old.value.texts == new.value.texts
        new.value.withRow { replace(index, with: $0, keepsTexts: keepsTexts) }
    }
}

/// The parts of an item that columns store. Its texts are UTF-8, and valid only while the value
/// that owns them exists.
package struct SearchedRow {
    package var name: UnsafeBufferPointer<UInt8>
    package var note: UnsafeBufferPointer<UInt8>
    /// The tags of the item, or at least those of ``ItemSearch/askedTags``.
    package var tags: Set<Tag.ID>
    /// True if the item has any tag. The value is valid if ``ItemSearch/asksForUntagged`` is true.
    package var isTagged: Bool
    package var isDone: Bool
    package var due: CalendarDay?
    package var scheduled: CalendarDay?
    package var priority: Priority?
    package var isRepeating: Bool

    package init(
        name: UnsafeBufferPointer<UInt8>, note: UnsafeBufferPointer<UInt8>, tags: Set<Tag.ID>,
        isDone: Bool, due: CalendarDay? = nil, scheduled: CalendarDay? = nil,
        priority: Priority? = nil, isRepeating: Bool = false
    ) {
        self.name = name
        self.note = note
        self.tags = tags
        isTagged = !tags.isEmpty
        self.isDone = isDone
        self.due = due
        self.scheduled = scheduled
        self.priority = priority
        self.isRepeating = isRepeating
    }
}

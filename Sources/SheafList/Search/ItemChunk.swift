import Swidux

/// Items in manual order.
package typealias ItemSequence = ChunkedArray<SharedEntity<Item>>
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

    /// Calls `body` with the parts of the item that searches read.
    func withRow(_ body: (SearchedRow) -> Void) {
        texts.withUTF8 { name, note in
            body(
                SearchedRow(
                    name: name, note: note, tags: tags, isTagged: !tags.isEmpty,
                    createdAt: createdAt, updatedAt: updatedAt, doneAt: doneAt, due: due,
                    scheduled: scheduled, priority: priority, isRepeating: `repeat` != nil))
        }
    }
}

/// The parts of an item that searches read. Its texts are UTF-8, and valid only while the value
/// that owns them exists.
package struct SearchedRow {
    let name: UnsafeBufferPointer<UInt8>
    let note: UnsafeBufferPointer<UInt8>
    let tags: Set<Tag.ID>
    let isTagged: Bool
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let doneAt: Timestamp?
    let due: CalendarDay?
    let scheduled: CalendarDay?
    let priority: Priority?
    let isRepeating: Bool

    /// - Parameters:
    ///   - tags: The tags of the item, or at least those of ``ItemSearch/askedTags``.
    ///   - isTagged: True if the item has any tag. Any value will do unless
    ///     ``ItemSearch/asksForUntagged`` is true.
    package init(
        name: UnsafeBufferPointer<UInt8>, note: UnsafeBufferPointer<UInt8>, tags: Set<Tag.ID>,
        isTagged: Bool, createdAt: Timestamp, updatedAt: Timestamp, doneAt: Timestamp?,
        due: CalendarDay?, scheduled: CalendarDay?, priority: Priority?, isRepeating: Bool
    ) {
        self.name = name
        self.note = note
        self.tags = tags
        self.isTagged = isTagged
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.doneAt = doneAt
        self.due = due
        self.scheduled = scheduled
        self.priority = priority
        self.isRepeating = isRepeating
    }
}

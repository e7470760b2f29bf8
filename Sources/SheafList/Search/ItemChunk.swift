import Swidux
import Synchronization

/// Up to 512 items that stand side by side in the manual order. It never changes, so lists of
/// different moments and searches on other threads share it; an edit makes another one.
final class ItemChunk: Sendable {
    /// The size of chunks in a long list: there is room for insertions.
    static let fill = 384

    /// Not empty.
    let items: ContiguousArray<SharedEntity<Item>>
    private let slot: Mutex<ItemColumns?>

    init(_ items: ContiguousArray<SharedEntity<Item>>, _ columns: ItemColumns? = nil) {
        self.items = items
        slot = Mutex(columns)
    }

    /// Divides items, which stand in order, into chunks of about equal size.
    static func divide(
        _ items: some RandomAccessCollection<SharedEntity<Item>>
    ) -> [ItemChunk] {
        guard items.count > ChunkBits.capacity else {
            return items.isEmpty ? [] : [ItemChunk(ContiguousArray(items))]
        }
        let parts = (items.count - 1) / fill + 1
        return (0..<parts).map { part in
            let range = items.count * part / parts..<items.count * (part + 1) / parts
            return ItemChunk(ContiguousArray(items.dropFirst(range.lowerBound).prefix(range.count)))
        }
    }

    var count: Int { items.count }

    /// The columns that searches read. The first search builds them: O(bytes of the texts).
    var columns: ItemColumns {
        slot.withLock { slot in
            if let slot { return slot }
            var columns = ItemColumns()
            for item in items { item.value.withRow { columns.append($0) } }
            slot = columns
            return columns
        }
    }

    /// The row at which a position is, or would be.
    func row(of position: ItemPosition) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].value.position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Editing

    /// A change of the item at a position; nil takes it out.
    struct Edit {
        let position: ItemPosition
        let item: SharedEntity<Item>?
    }

    /// After more changes than this the next search builds the columns again.
    private static let fewEdits = 16

    /// The items after `edits`, which are in order, as chunks. O(items + edits × log items), and
    /// the bytes of the texts for a few edits if a search has looked at the chunk.
    func applying(_ edits: ArraySlice<Edit>) -> [ItemChunk] {
        let rows = edits.map { row(of: $0.position) }
        var items = ContiguousArray<SharedEntity<Item>>()
        items.reserveCapacity(count + edits.count)
        var next = 0
        for (edit, row) in zip(edits, rows) {
            items.append(contentsOf: self.items[next..<row])
            if let item = edit.item { items.append(item) }
            next = has(edit.position, at: row) ? row + 1 : row
        }
        items.append(contentsOf: self.items[next...])
        guard items.count <= ChunkBits.capacity, !items.isEmpty else { return Self.divide(items) }
        return [ItemChunk(items, columns(after: edits, at: rows))]
    }

    private func has(_ position: ItemPosition, at row: Int) -> Bool {
        row < count && items[row].value.position == position
    }

    /// The columns after `edits`, or nil if the next search has to build them again.
    private func columns(after edits: ArraySlice<Edit>, at rows: [Int]) -> ItemColumns? {
        guard edits.count <= Self.fewEdits, count + edits.count <= ChunkBits.capacity,
            var columns = slot.withLock(\.self)
        else { return nil }
        // From the end, so that the rows of the others stay.
        for (edit, row) in zip(edits, rows).reversed() {
            switch (edit.item?.value, has(edit.position, at: row)) {
            case (let item?, true):
                let keepsTexts = items[row].value.texts == item.texts
                item.withRow { columns.replace(row, with: $0, keepsTexts: keepsTexts) }
            case (let item?, false): item.withRow { columns.insert($0, at: row) }
            case (nil, true): columns.remove(row)
            case (nil, false): break
            }
        }
        return columns
    }
}

/// Rows that a search looks through: columns, and the rarely asked values beside them.
protocol SearchedRows {
    var count: Int { get }
    var columns: ItemColumns { get }
    func time(_ field: TimeField, ofRow row: Int) -> Timestamp?
    /// The text of a field that is neither name nor note, or nil.
    func text(ofField name: String, ofRow row: Int) -> String?
}

extension ItemChunk: SearchedRows {
    func time(_ field: TimeField, ofRow row: Int) -> Timestamp? { items[row].value.time(field) }

    func text(ofField name: String, ofRow row: Int) -> String? {
        Item.fields.first { $0.name == name }?.lineSpelling?.get(items[row].value)
    }
}

extension Item {
    /// The time that a query calls so, or nil if the item has none.
    fileprivate func time(_ field: TimeField) -> Timestamp? {
        switch field {
        case .created: createdAt
        case .changed: updatedAt
        case .done: doneAt
        }
    }

    /// Calls `body` with the parts of the item that columns hold.
    fileprivate func withRow(_ body: (SearchedRow) -> Void) {
        texts.withUTF8 { name, note in
            body(
                SearchedRow(
                    name: name, note: note, tags: tags, isDone: isDone, due: due,
                    scheduled: scheduled, priority: priority, isRepeating: `repeat` != nil))
        }
    }
}

/// The parts of an item that columns hold. Its texts are UTF-8, and there only as long as the value
/// that they belong to.
public struct SearchedRow {
    public var name: UnsafeBufferPointer<UInt8>
    public var note: UnsafeBufferPointer<UInt8>
    /// At least those of ``ItemSearch/askedTags``.
    public var tags: Set<Tag.ID>
    /// True if it has any tag; valid at least if ``ItemSearch/asksForUntagged``.
    public var isTagged: Bool
    public var isDone: Bool
    public var due: CalendarDay?
    public var scheduled: CalendarDay?
    public var priority: Priority?
    public var isRepeating: Bool

    public init(
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

import FoundationEssentials

/// Asks one item after the other whether a search finds it, and how well. It keeps its memory for
/// the next item, and so is as fast as looking at each can be; what looks at none it need not is
/// the index.
public struct ItemMatcher: Sendable {
    public let search: ItemSearch
    private var text = TextMatcher()
    private let askedFields: [Field<Item>]

    public init(_ search: ItemSearch) {
        self.search = search
        let asked = search.askedFields
        askedFields = asked.isEmpty ? [] : Item.fields.filter { asked.contains($0.name) }
    }

    /// Whether `item` is found. O(name + note).
    public mutating func includes(_ item: Item) -> Bool { score(of: item) != nil }

    /// Whether the item of a row is found. O(name + note).
    public mutating func includes(_ row: ItemRow) -> Bool { score(search.root, row) != nil }

    /// How well `item` is found, from 0 on, or nil if it is not. Terms that must all hold add up;
    /// of several places, and of terms any of which may hold, the best counts.
    public mutating func score(of item: Item) -> Int? {
        item.texts.withUTF8 { name, note in
            score(
                search.root,
                ItemRow(
                    name: name, note: note, tags: item.tags, isTagged: !item.tags.isEmpty,
                    doneAt: item.doneAt, createdAt: item.createdAt, updatedAt: item.updatedAt,
                    due: item.due, scheduled: item.scheduled, priority: item.priority,
                    isRepeating: item.repeat != nil,
                    texts: askedFields.isEmpty ? [:] : texts(of: item)))
        }
    }

    private func texts(of item: Item) -> [String: String] {
        askedFields.reduce(into: [:]) { $0[$1.name] = $1.lineSpelling?.get(item) }
    }

    /// Whether one of the texts of the search is in the note of `item`. O(note × words).
    public mutating func findsText(inNoteOf item: Item) -> Bool {
        item.texts.withUTF8 { _, note in
            search.root.positiveTexts.contains { text.isFound($0, in: note) }
        }
    }

    /// The same as ``score(of:)`` of what is nothing but a name. O(name).
    package mutating func score(ofName name: String) -> Int? {
        var name = name
        return name.withUTF8 { name in
            score(
                search.root,
                ItemRow(
                    name: name, note: UnsafeBufferPointer(start: nil, count: 0), tags: [],
                    isTagged: false, doneAt: nil, createdAt: .zero, updatedAt: .zero))
        }
    }

    private mutating func score(_ node: ItemSearch.Node, _ row: ItemRow) -> Int? {
        switch node {
        case .everything: return 0
        case .text(let text): return score(text, row)
        case .tag(let id): return row.tags.contains(id) ? 0 : nil
        case .state(let state): return row.isIn(state) ? 0 : nil
        case .time(let field, let span):
            return row.time(field).map(span.contains) ?? false ? 0 : nil
        case .day(.due, let asked): return asked.holds(row.due) ? 0 : nil
        case .day(.scheduled, let asked): return asked.holds(row.scheduled) ? 0 : nil
        case .priority(let letters):
            return row.priority.map { letters?.contains($0) ?? false } ?? (letters == nil) ? 0 : nil
        case .field(let name, let text):
            var value = row.texts[name] ?? ""
            return value.withUTF8 { self.text.isFound(text, in: $0) } ? 0 : nil
        case .not(let node): return score(node, row) == nil ? 0 : nil
        case .and(let nodes):
            var sum = 0
            for node in nodes {
                guard let score = score(node, row) else { return nil }
                sum += score
            }
            return sum
        case .or(let nodes):
            var best: Int?
            for node in nodes {
                if let score = score(node, row), best.map({ $0 < score }) ?? true { best = score }
            }
            return best
        }
    }

    private mutating func score(_ text: TextSearch, _ row: ItemRow) -> Int? {
        var best = self.text.score(text, in: row.name)
        if !text.tags.isEmpty {
            for id in row.tags {
                if let score = text.tags[id], best.map({ $0 < score }) ?? true { best = score }
            }
        }
        if best == nil, self.text.isFound(text, in: row.note) { best = 0 }
        return best
    }
}

/// What a search looks at of an item, where storage has it: no item has to be made to see that it
/// is not the one. Its texts are UTF-8, and there only as long as the row is.
public struct ItemRow {
    public var name: UnsafeBufferPointer<UInt8>
    public var note: UnsafeBufferPointer<UInt8>
    /// At least those of ``ItemSearch/askedTags``.
    public var tags: Set<Tag.ID>
    /// Whether it has any tag; asked for only where the search is for untagged items.
    public var isTagged: Bool
    public var doneAt: Timestamp?
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    public var due: CalendarDay?
    public var scheduled: CalendarDay?
    public var priority: Priority?
    public var isRepeating: Bool
    /// The texts of ``ItemSearch/askedFields`` that are not empty, by the names of the fields.
    public var texts: [String: String]

    public init(
        name: UnsafeBufferPointer<UInt8>, note: UnsafeBufferPointer<UInt8>, tags: Set<Tag.ID>,
        isTagged: Bool, doneAt: Timestamp?, createdAt: Timestamp, updatedAt: Timestamp,
        due: CalendarDay? = nil, scheduled: CalendarDay? = nil, priority: Priority? = nil,
        isRepeating: Bool = false, texts: [String: String] = [:]
    ) {
        self.name = name
        self.note = note
        self.tags = tags
        self.isTagged = isTagged
        self.doneAt = doneAt
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.due = due
        self.scheduled = scheduled
        self.priority = priority
        self.isRepeating = isRepeating
        self.texts = texts
    }

    fileprivate func isIn(_ state: ItemState) -> Bool {
        switch state {
        case .done: doneAt != nil
        case .open: doneAt == nil
        case .untagged: !isTagged
        case .noted: !note.isEmpty
        case .repeating: isRepeating
        }
    }

    fileprivate func time(_ field: TimeField) -> Timestamp? {
        switch field {
        case .created: createdAt
        case .changed: updatedAt
        case .done: doneAt
        }
    }
}

extension Item {
    /// The time that a query calls so, or nil if the item has none.
    func time(_ field: TimeField) -> Timestamp? {
        switch field {
        case .created: createdAt
        case .changed: updatedAt
        case .done: doneAt
        }
    }
}

import FoundationEssentials
import SheafList

/// Finds the items of a text that the list already has with equal values, in one pass over the
/// list.
///
/// Each item of the list matches only one item of the text: two equal lines are two items. O(items
/// of both), with a few bytes for each item of the text.
struct KnownItems {
    /// The compared values of an item: texts by their bytes, tags by their identity in the format,
    /// times by day.
    private struct Content: Hashable {
        var texts: [[UInt8]]
        var tags: Set<String>
        var isDone: Bool
        var createdOn: CalendarDay?
        var doneOn: CalendarDay?
        /// The JSON text of the item's other fields.
        var others: [UInt8]
    }

    private let items: [ImportedItem]
    private let isTodoTxt: Bool
    private let calendar: LocalCalendar
    private let tags: [Tag.ID: String]
    /// The spelling of each of the list's tags in the text's format.
    private var spellings: [Tag.ID: String] = [:]
    private var spellingsByName: [String: String] = [:]
    /// Chains of unmatched items with equal hashes: the first item of each chain, by hash, and the
    /// next item after each item.
    private var first: [Int: Int] = [:]
    private var next: [Int]
    private var isMatched: [Bool]
    private var unmatchedCount: Int
    /// The hashes of all names in the text. Most items of a long list have none of these names, and
    /// need no further comparison.
    private var names: Set<Int> = []
    /// The combinations of times that the items have, the most complete first.
    private var kinds: [(created: Bool, done: Bool)] = []

    private static let end = -1

    /// - Parameters:
    ///   - tags: The tags of the list.
    ///   - calendar: The calendar that converts times to days.
    init(
        _ items: [ImportedItem], format: ListFormat, tags: [Tag],
        calendar: LocalCalendar = .system
    ) {
        self.items = items
        self.calendar = calendar
        isTodoTxt = format == .todotxt
        next = [Int](repeating: Self.end, count: items.count)
        isMatched = [Bool](repeating: false, count: items.count)
        unmatchedCount = items.count
        self.tags = Dictionary(
            tags.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        for tag in tags { spellings[tag.id] = spelling(of: tag.name) }
        var seen: Set<[Bool]> = []
        for index in items.indices.reversed() {
            names.insert(items[index].name.hashValue)
            let content = content(of: items[index])
            next[index] = first.updateValue(index, forKey: content.hashValue) ?? Self.end
            seen.insert([content.createdOn != nil, content.doneOn != nil])
        }
        kinds = [(true, true), (true, false), (false, true), (false, false)]
            .filter { seen.contains([$0.0, $0.1]) }
    }

    /// True if the list has all items.
    var isComplete: Bool { unmatchedCount == 0 }

    /// Returns the items that the list does not have. `items` must be those of the initializer.
    func unknown(of items: [ImportedItem]) -> [ImportedItem] {
        zip(items, isMatched).lazy.filter { !$0.1 }.map(\.0)
    }

    /// Processes `item` of the list: marks the first equal, unmatched item of the text as known.
    mutating func markKnown(_ item: Item) {
        let lineItem = lineItem(of: item)
        guard names.contains((lineItem?.name ?? item.name).hashValue) else { return }
        var content = lineItem.map { self.content(of: $0) } ?? self.content(of: item)
        let createdOn = calendar.day(item.createdAt)
        let doneOn = item.knownDoneAt.map(calendar.day)
        for kind in kinds {
            if kind.done, doneOn == nil { continue }
            content.createdOn = kind.created ? createdOn : nil
            content.doneOn = kind.done ? doneOn : nil
            if match(content) { return }
        }
    }

    private mutating func match(_ content: Content) -> Bool {
        let hash = content.hashValue
        var before: Int?
        var index = first[hash] ?? Self.end
        while index != Self.end {
            if self.content(of: items[index]) == content {
                if let before { next[before] = next[index] } else { first[hash] = next[index] }
                isMatched[index] = true
                unmatchedCount -= 1
                return true
            }
            before = index
            index = next[index]
        }
        return false
    }

    // MARK: Contents

    private mutating func content(of item: ImportedItem) -> Content {
        var (isDone, doneOn): (Bool, CalendarDay?) = (false, nil)
        if case .yes(let time) = item.done { (isDone, doneOn) = (true, time.map(calendar.day)) }
        return Content(
            texts: texts(item.name, item.note ?? "", item.extras ?? []),
            tags: Set((item.tags ?? []).map { spelling(of: $0) }), isDone: isDone,
            createdOn: item.createdAt.map(calendar.day), doneOn: doneOn,
            others: Self.others(of: item.draft))
    }

    /// Returns the content of an item, without its days.
    private func content(of item: Item) -> Content {
        Content(
            texts: texts(item.name, item.note, item.extras),
            tags: Set(item.tags.compactMap { spellings[$0] }), isDone: item.isDone,
            others: Self.others(of: item))
    }

    /// Returns the item that results from writing `item` as a todo.txt line and reading that line.
    /// Returns `nil` if the two are equal in any case: they can differ only if words of the name
    /// are tags or pairs in a line, or if a former version read more pairs.
    private func lineItem(of item: Item) -> ImportedItem? {
        let hasPairs = item.extras.count > 1 && item.extras.contains(where: TodoTask.canBeLine)
        guard isTodoTxt, hasPairs || TodoTask.containsSyntax(item.name) else { return nil }
        let tags = item.tags.compactMap { self.tags[$0] }
        let line = TodoLine.text(for: item, tags: tags, calendar: calendar)
        return TodoReader.parse(Data(line.utf8)).list.items.first
    }

    /// All fields except those that are compared separately and those that no line has.
    private static let otherFields = Item.fields.filter { field in
        ![
            "name", "note", "tags", "doneAt", "rank", "createdAt", "updatedAt", "extras",
        ].contains(field.name)
    }
    private static let otherJSON = EntityJSON(otherFields, hasID: false)
    private static let blank = Item(id: ImportedItem.noID)

    private static func others(of item: Item) -> [UInt8] {
        // Almost every item has no such values.
        if otherFields.allSatisfy({ $0.isSame(in: item, as: blank) }) { return [] }
        var bytes: [UInt8] = []
        otherJSON.append(item, to: &bytes)
        return bytes
    }

    /// Returns the bytes of all texts. The pairs are sorted, because their order in a line has no
    /// meaning.
    private func texts(_ name: String, _ note: String, _ extras: [Item.Extra]) -> [[UInt8]] {
        var pairs: [[UInt8]] = []
        // An extra that only describes the spelling of a line is not part of the item's content.
        for extra in MarkdownSpelling.others(extras) {
            pairs.append(Array(extra.key.utf8) + [0xFF] + Array(extra.value.utf8))
        }
        return [Array(name.utf8), Array(note.utf8)]
            + pairs.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns the same spelling for tags that the format writes alike.
    private mutating func spelling(of name: String) -> String {
        if let known = spellingsByName[name] { return known }
        let spelling = isTodoTxt ? TodoWord.folded(tag: name) : Tag.fold(name)
        spellingsByName[name] = spelling
        return spelling
    }
}

import SheafCore

/// What a line of a todo.txt says.
struct TodoTask {
    var isDone = false
    /// Dates such as `2026-03-01`, of the day in UTC, or nil where the line has none.
    var doneOn: String?
    var createdOn: String?
    var name = ""
    var note = ""
    /// The names of its tags; one without a sigil is as good as the same with `@`.
    var tags: [String] = []
    /// Its pairs. The priority is one of them, the first: `pri`, `A`.
    var extras: [Item.Extra] = []

    /// The key of the extra that keeps a line which Sheaf would have written otherwise.
    static let lineKey = "todo.txt"

    /// Whether `extra` can be a line that was kept; a pair of the same key may hold a text of
    /// several.
    static func canBeLine(_ extra: Item.Extra) -> Bool {
        extra.key == lineKey && !extra.value.utf8.contains { $0 == 0x0A || $0 == 0x0D }
    }

    /// What `line` says, or nil if it has no description.
    init?(_ line: TodoLine) {
        guard !line.words.isEmpty else { return nil }
        isDone = line.isDone
        doneOn = line.doneOn
        createdOn = line.createdOn
        read(line.words)
        // A task of nothing but tags still needs something to call it by.
        if name.isEmpty { name = line.description }
        if let letter = line.priority {
            extras.insert(Item.Extra(key: TodoWord.priorityKey, value: letter), at: 0)
        } else if let index = priorityIndex {
            extras.insert(extras.remove(at: index), at: 0)
        }
    }

    /// What a line has to say of `item`, whose tags have the names `tags`. A name of nothing
    /// becomes a space, because a file cannot have tasks without one.
    init(_ item: Item, tags: [String], extras: [Item.Extra]) {
        isDone = item.isDone
        doneOn = item.doneAt.map(Self.date)
        createdOn = Self.date(item.createdAt)
        name = item.name.isEmpty ? " " : item.name
        note = item.note
        self.tags = tags
        self.extras = extras
    }

    /// The first word for a note or a name is that, and further ones are pairs like any. A name
    /// counts only where it has the words that stand there, so that what another program renamed
    /// stays renamed.
    private mutating func read(_ words: [TodoLine.Word]) {
        let meanings = words.map { TodoWord($0.text) }
        for (word, meaning) in zip(words, meanings) {
            if case .text(let text) = meaning { name += (name.isEmpty ? "" : word.space) + text }
        }
        lazy var shown = TodoLine.words(ofName: name).map(\.text)
        var seen: Set<String> = []
        var isNamed = false
        var isNoted = false
        for meaning in meanings {
            switch meaning {
            case .text: break
            case .tag(let tag): if seen.insert(tag).inserted { tags.append(tag) }
            case .pair(let pair): extras.append(pair)
            case .note(let text) where !isNoted:
                note = text
                isNoted = true
            case .note(let text): extras.append(Item.Extra(key: TodoWord.noteKey, value: text))
            case .name(let text)
            where !isNamed && TodoLine.words(ofName: text).map(\.text) == shown:
                name = text
                isNamed = true
            case .name(let text): extras.append(Item.Extra(key: TodoWord.nameKey, value: text))
            }
        }
    }

    /// The place among the extras of the priority that a line in Sheaf's own form has.
    var priorityIndex: Int? {
        extras.firstIndex { $0.key == TodoWord.priorityKey && Self.isPriority($0.value) }
    }

    var priority: String? { priorityIndex.map { extras[$0].value } }

    static func isPriority(_ text: String) -> Bool {
        text.utf8.count == 1 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// The day of `time`, or the nearest that four digits of a year can tell.
    static func date(_ time: Timestamp) -> String {
        let text = time.iso8601
        switch text.utf8.first {
        case UInt8(ascii: "+"): return "9999-12-31"
        case UInt8(ascii: "-"): return "0000-01-01"
        default: return String(text.prefix(10))
        }
    }

    // MARK: Comparing

    /// The tags by what makes two of them one, with the words they are written as.
    var tagWords: [String: String] {
        Dictionary(
            tags.map { (TodoWord.folded(tag: $0), TodoWord.written(tag: $0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether a line that says `other` says this too. The order of tags and pairs does not matter,
    /// but every byte of a text does.
    func isSaid(by other: TodoTask) -> Bool {
        func bytes(_ extras: [Item.Extra]) -> [[[UInt8]]] {
            extras.map { [Array($0.key.utf8), Array($0.value.utf8)] }
        }
        guard isDone == other.isDone, doneOn == other.doneOn, createdOn == other.createdOn,
            name.utf8.elementsEqual(other.name.utf8), note.utf8.elementsEqual(other.note.utf8),
            extras.count == other.extras.count, priority == other.priority,
            Set(tagWords.keys) == Set(other.tagWords.keys)
        else { return false }
        let counts = { (extras: [Item.Extra]) in
            bytes(extras).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        return extras.isEmpty || counts(extras) == counts(other.extras)
    }
}

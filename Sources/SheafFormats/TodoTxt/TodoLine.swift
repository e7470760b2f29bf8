import SheafList

/// A line of a todo.txt in its parts, which put together are the line again, byte for byte.
struct TodoLine {
    /// A word of the description, as it is spelled.
    struct Word {
        /// The white space before it.
        var space: String
        var text: String
    }

    var isDone = false
    /// The letter in parentheses.
    var priority: String?
    /// Dates, which have one spelling: `2026-03-01`.
    var doneOn: CalendarDay?
    var createdOn: CalendarDay?
    var words: [Word] = []
    /// The white space after the last word.
    private var trailing = ""

    /// The parts of `line`: `x (A) 2026-03-02 2026-03-01 description`, where all but the
    /// description may be missing. An impossible date, such as 2026-13-45, belongs to the
    /// description.
    init(_ line: String) {
        var rest = Array(line.utf8)[...]
        func take<Part>(_ count: Int, _ read: (String) -> Part?) -> Part? {
            guard rest.count > count, rest[rest.startIndex + count] == UInt8(ascii: " "),
                let part = read(String(decoding: rest.prefix(count), as: UTF8.self))
            else { return nil }
            rest = rest.dropFirst(count + 1)
            return part
        }
        func date() -> CalendarDay? { take(10) { CalendarDay($0) } }
        isDone = take(1) { $0 == "x" ? true : nil } ?? false
        priority = take(3) { Self.isPriority($0) ? String($0.dropFirst().dropLast()) : nil }
        if isDone { doneOn = date() }
        if !isDone || doneOn != nil { createdOn = date() }
        (words, trailing) = Self.split(rest)
    }

    /// The line that Sheaf writes for `task`: tags in the order of their spelling, then pairs.
    init(_ task: TodoTask) {
        isDone = task.isDone
        doneOn = task.doneOn
        createdOn = task.createdOn
        words = Self.words(ofName: task.name)
        var extras = task.extras
        if let index = task.priorityIndex {
            let extra = extras.remove(at: index)
            if isDone { extras.insert(extra, at: 0) } else { priority = extra.value }
        }
        append(
            Set(task.tags.map(TodoWord.written(tag:)))
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        append(extras.map(TodoWord.written))
        if !task.note.isEmpty { append([TodoWord.pair(TodoWord.noteKey, task.note)]) }
        if !Self.spells(task.name) { append([TodoWord.pair(TodoWord.nameKey, task.name)]) }
        if !words.isEmpty { words[0].space = "" }
    }

    /// The line.
    var text: String {
        let head = [
            isDone ? "x" : nil, priority.map { "(\($0))" }, doneOn?.description,
            createdOn?.description,
        ]
        return head.compactMap(\.self).map { "\($0) " }.joined() + description
    }

    /// What stands after the dates.
    var description: String {
        words.map { $0.space + $0.text }.joined() + trailing
    }

    /// Adds words at the end.
    mutating func append(_ texts: [String]) {
        words += texts.map { Word(space: " ", text: $0) }
    }

    /// Whether `line` begins as lines of a todo.txt alone do: `x 2026-11-01`, `2026-11-01`, `(A)`.
    static func isTelling(_ line: String) -> Bool {
        let parts = TodoLine(line)
        return parts.priority != nil || parts.createdOn != nil || parts.doneOn != nil
    }

    // MARK: Names

    /// The words that spell `name`, except for line breaks and white space around it.
    static func words(ofName name: String) -> [Word] {
        let flat = name.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        return split(flat[...]).words.map {
            Word(space: $0.space, text: TodoWord.written(text: $0.text))
        }
    }

    /// Whether the words of `name` read as exactly that.
    private static func spells(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let (words, trailing) = split(bytes[...])
        return words.first?.space == "" && trailing.isEmpty
            && !bytes.contains { $0 == 0x0A || $0 == 0x0D }
    }

    private static func split(
        _ bytes: ArraySlice<UInt8>
    ) -> (words: [Word], trailing: String) {
        var rest = bytes
        var words: [Word] = []
        func take(while isWanted: (UInt8) -> Bool) -> String {
            let part = rest.prefix(while: isWanted)
            rest = rest.dropFirst(part.count)
            return String(decoding: part, as: UTF8.self)
        }
        while true {
            let space = take { $0 == 0x20 || $0 == 0x09 }
            guard !rest.isEmpty else { return (words, space) }
            words.append(Word(space: space, text: take { $0 != 0x20 && $0 != 0x09 }))
        }
    }

    private static func isPriority(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.first == UInt8(ascii: "(") && bytes.last == UInt8(ascii: ")")
            && TodoTask.isPriority(String(decoding: bytes[1..<2], as: UTF8.self))
    }
}

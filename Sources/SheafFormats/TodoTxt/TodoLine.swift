import SheafList

/// The parts of a line of a todo.txt file. Joined, they are the line again, byte for byte.
struct TodoLine {
    /// A word of the description, in its original spelling.
    struct Word {
        /// The white space before the word.
        var space: String
        var text: String
    }

    var isDone = false
    /// The letter in parentheses.
    var priority: String?
    /// Dates, which have only one spelling: `2026-03-01`.
    var doneOn: CalendarDay?
    var createdOn: CalendarDay?
    var words: [Word] = []
    /// The white space after the last word, and the carriage return of a line that ends with CR LF.
    private var trailing = ""

    /// Parses `line`: `x (A) 2026-03-02 2026-03-01 description`. All parts but the description are
    /// optional. An impossible date, such as 2026-13-45, belongs to the description.
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
        let end = rest.last == 0x0D ? "\r" : ""
        (words, trailing) = Self.split(end.isEmpty ? rest : rest.dropLast())
        trailing += end
    }

    /// Creates the line that Sheaf writes for `task`: tags in the order of their spelling, then
    /// pairs. Tags and pairs that the words of the name spell are not repeated.
    ///
    /// - Parameter isImported: True if the name came from a line: see
    ///   ``TodoTask/writtenName(with:isImported:)``.
    init(_ task: TodoTask, isImported: Bool = false) {
        isDone = task.isDone
        doneOn = task.doneOn
        createdOn = task.createdOn
        let known = task.tagWords
        var extras = task.extras
        if let index = task.priorityIndex, !isDone { priority = extras.remove(at: index).value }
        words = task.writtenName(with: extras, isImported: isImported)
        let spelled = SpelledTagsAndPairs(words, known: Set(known.keys))
        append(
            Set(known.filter { !spelled.tags.contains($0.key) }.values)
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        append(spelled.others(of: extras).map(TodoWord.written))
        if !task.note.isEmpty { append([TodoWord.pair(TodoWord.noteKey, task.note)]) }
        if !Self.spells(task.name) { append([TodoWord.pair(TodoWord.nameKey, task.name)]) }
        if !words.isEmpty { words[0].space = "" }
    }

    /// The text of the line.
    var text: String {
        let head = [
            isDone ? "x" : nil, priority.map { "(\($0))" }, doneOn?.description,
            createdOn?.description,
        ]
        return head.compactMap(\.self).map { "\($0) " }.joined()
            + words.map { $0.space + $0.text }.joined() + trailing
    }

    /// The text after the dates.
    var description: String {
        words.enumerated().map { ($0.offset == 0 ? "" : $0.element.space) + $0.element.text }
            .joined()
    }

    /// Adds words at the end.
    mutating func append(_ texts: [String]) {
        words += texts.map { Word(space: " ", text: $0) }
    }

    /// Returns true if `line` begins as only lines of a todo.txt file do: `x 2026-11-01`,
    /// `2026-11-01`, `(A)`.
    static func hasDistinctiveStart(_ line: String) -> Bool {
        let parts = TodoLine(line)
        return parts.priority != nil || parts.createdOn != nil || parts.doneOn != nil
    }

    // MARK: Names

    /// Returns the words that spell `name`, without line breaks and surrounding white space.
    static func words(ofName name: String) -> [Word] {
        let flat = name.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        return split(flat[...]).words
    }

    /// Returns true if the words of `name`, joined, give exactly `name` again.
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

/// The tags and pairs that the words of a name spell.
struct SpelledTagsAndPairs {
    /// The folded names of the tags.
    private(set) var tags: Set<String> = []
    private var pairs: [Item.Extra] = []

    init(_ words: [TodoLine.Word], known: Set<String>) {
        // Almost no word contains one of these characters.
        for word in words where word.text.utf8.contains(where: { "+@:".utf8.contains($0) }) {
            switch TodoWord.inLine(word.text) {
            case .tag(let tag): tags.insert(TodoWord.folded(tag: tag))
            case .pair(let pair): pairs.append(TodoTask.spelledOut(pair))
            case .text:
                let tag = TodoWord.tag(inText: word.text, known: known)
                if let tag { tags.insert(TodoWord.folded(tag: tag)) }
            case .note, .name: break
            }
        }
    }

    /// Returns `extras` without those that the words spell. Each word accounts for one extra.
    func others(of extras: [Item.Extra]) -> [Item.Extra] {
        var pairs = pairs
        return extras.filter { extra in
            guard let index = pairs.firstIndex(of: extra) else { return true }
            pairs.remove(at: index)
            return false
        }
    }
}

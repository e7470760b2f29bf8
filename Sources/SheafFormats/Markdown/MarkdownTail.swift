import SheafList

/// What the last words of an item's line say beside its name: tags, and days, repeats and
/// priorities, as Sheaf writes them or by the signs of the Tasks plugin for Obsidian.
///
///     due:2026-03-06 t:2026-03-01 rec:+1m pri:A
///     🔼 🔁 every month 🛫 2026-03-01 📅 2026-03-06 ✅ 2026-03-05
///
/// A sign with what nobody can read, or that says a field once more, stays in the name.
struct MarkdownTail {
    typealias Word = ArraySlice<UInt8>

    /// The words before it.
    private(set) var words: [Word]
    /// The words of the tail that belong to the name.
    private(set) var kept: [Word] = []
    private(set) var tags: [String] = []
    /// The fields that were said, in an item that is blank but for them.
    private(set) var item = Item(id: ImportedItem.noID)
    private(set) var fields: [String] = []
    /// The days when it was done and made.
    private(set) var doneOn: CalendarDay?
    private(set) var createdOn: CalendarDay?

    /// Whether the words say nothing but a name.
    var isEmpty: Bool {
        tags.isEmpty && fields.isEmpty && kept.isEmpty && doneOn == nil && createdOn == nil
    }

    /// - Parameters:
    ///   - nameCount: the number of first words that belong to the name and say nothing else.
    ///   - isDone: whether the item is done: else a day when it was is none of its own.
    init(_ words: [Word], nameCount: Int, isDone: Bool) {
        self.words = words
        while self.words.count > nameCount, takeLast(from: nameCount, isDone: isDone) {}
        tags.reverse()
    }

    /// Takes what the last words say, and returns whether they say anything.
    private mutating func takeLast(from first: Int, isDone: Bool) -> Bool {
        guard let last = words.last else { return false }
        if let tag = MarkdownSyntax.tag(last) {
            tags.append(tag)
            words.removeLast()
            return true
        }
        let text = String(decoding: last, as: UTF8.self)
        if take(word: text) {
            words.removeLast()
            return true
        }
        guard let (start, sign, value) = Self.signed(words, from: first) else { return false }
        if !take(sign, value, isDone: isDone) { kept = words[start...] + kept }
        words.removeSubrange(start...)
        return true
    }

    /// Takes a word such as `due:2026-03-06`.
    private mutating func take(word: String) -> Bool {
        guard case .pair(let pair) = TodoWord(word),
            word.utf8.elementsEqual(TodoWord.pair(pair.key, pair.value).utf8),
            let field = TodoTask.fields.first(where: { $0.key == pair.key })
        else { return false }
        return set(field, pair.value)
    }

    private mutating func set(_ field: TodoTask.Word, _ value: String) -> Bool {
        guard !fields.contains(field.field), field.spelling.set(&item, value) else { return false }
        fields.append(field.field)
        return true
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        TodoTask.fields.first { $0.field == name }.map { set($0, value) } ?? false
    }

    // MARK: Signs

    /// What a sign is followed by.
    private enum Sign {
        case day(String)
        case done, created
        case priority(String)
        case rule
        /// Of which Sheaf knows nothing: it has one word after it.
        case other
    }

    /// With the forms that other versions of the plugin wrote.
    private static let signs: [(String, Sign)] = [
        ("📅", .day("due")), ("📆", .day("due")), ("🗓", .day("due")),
        ("⏳", .day("scheduled")), ("⌛", .day("scheduled")), ("🛫", .day("scheduled")),
        ("✅", .done), ("➕", .created), ("🔁", .rule),
        ("🔺", .priority("A")), ("⏫", .priority("B")), ("🔼", .priority("C")),
        ("🔽", .priority("D")), ("⏬", .priority("E")),
        ("❌", .other), ("🆔", .other), ("⛔", .other), ("🏁", .other),
    ]
    /// What makes a picture of a sign, and is not always there.
    private static let variation = Unicode.Scalar(0xFE0F)
    /// The most words of a rule.
    private static let longestRule = 12

    /// The sign that the last words belong to, where it stands, and what follows it.
    private static func signed(
        _ words: [Word], from first: Int
    ) -> (start: Int, sign: Sign, value: String)? {
        for place in (max(first, words.count - longestRule - 1)..<words.count).reversed() {
            // No sign is in ASCII, and all that may follow one is.
            guard words[place].contains(where: { $0 >= 0x80 }) else {
                if words[place].contains(UInt8(ascii: "\\")) { return nil }
                continue
            }
            let word = String(decoding: words[place], as: UTF8.self).unicodeScalars
            guard let (text, sign) = signs.first(where: { word.starts(with: $0.0.unicodeScalars) })
            else { return nil }
            // As characters, a sign and what makes a picture of it are one.
            var rest = word.dropFirst(text.unicodeScalars.count)
            if rest.first == variation { rest = rest.dropFirst() }
            let following = words[(place + 1)...].map { String(decoding: $0, as: UTF8.self) }
            let value = (rest.isEmpty ? [] : [String(rest)]) + following
            let fits =
                switch sign {
                case .priority: value.isEmpty
                case .rule: !value.isEmpty
                case .day, .done, .created, .other: value.count == 1
                }
            return fits ? (place, sign, value.joined(separator: " ")) : nil
        }
        return nil
    }

    private mutating func take(_ sign: Sign, _ value: String, isDone: Bool) -> Bool {
        switch sign {
        case .day(let field): return set(field, value)
        case .priority(let letter): return set("priority", letter)
        case .rule: return rule(value).map { set("repeat", $0) } ?? false
        case .done:
            guard isDone, doneOn == nil, let day = CalendarDay(value) else { return false }
            doneOn = day
        case .created:
            guard createdOn == nil, let day = CalendarDay(value) else { return false }
            createdOn = day
        case .other: return false
        }
        return true
    }

    /// `every 2 weeks`, `every day when done`.
    private func rule(_ text: String) -> String? {
        guard text.hasPrefix("every ") else { return nil }
        do { return try Repeat.typed(text)?.description } catch { return nil }
    }
}

import SheafList

/// The tags and fields after the text of an item's line, as Sheaf writes them or as signs of the
/// Tasks plugin for Obsidian.
///
///     #home due:2026-03-06 t:2026-03-01 rec:+1m pri:A
///     🔼 🔁 every month 🛫 2026-03-01 📅 2026-03-06 ✅ 2026-03-05
///
/// A sign or a key stays text if its value is invalid or its field already has a value.
struct MarkdownTail {
    typealias Word = ArraySlice<UInt8>

    /// The number of words before the tail.
    private(set) var start: Int
    /// The places of the words that are not fields: the words before the tail, tags, and unreadable
    /// fields.
    private(set) var rest: [Int]
    /// A blank item with the fields that the tail sets.
    private(set) var item = Item(id: ImportedItem.noID)
    private(set) var fields: [String] = []
    /// The completion day and the creation day.
    private(set) var doneOn: CalendarDay?
    private(set) var createdOn: CalendarDay?
    /// The signs of the fields that were set, in their order; empty if no field had a sign.
    private(set) var signs: [TaskSign] = []
    /// The values of signs that have no field. Their keys are the signs.
    private(set) var extras: [Item.Extra] = []
    /// The fields whose values are invalid, as the line spells them.
    private(set) var unread: [String] = []
    /// The recurrences that name a day, which an item keeps only until its date is moved.
    private(set) var movableDays: [String] = []

    /// True if all words are text.
    private(set) var isEmpty: Bool

    /// - Parameters:
    ///   - literal: The spans in which no word is a tag.
    ///   - nameCount: The number of words at the beginning that are the name according to a
    ///     comment. If `nil`, at least one word stays text.
    ///   - box: The character in the item's box.
    init(_ words: [Word], _ literal: LiteralSpans, nameCount: Int?, box: String?) {
        let first = nameCount ?? 0
        var end = words.count
        var parts: [Part] = []
        while end > first, let part = Part(endOf: words[first..<end], literal) {
            parts.append(part)
            end = part.words.lowerBound
        }
        start = end
        rest = Array(0..<end)
        isEmpty = parts.isEmpty
        var places = [Place](repeating: .text, count: parts.count)
        // The parts are in reverse order, so the last of two values for a field counts.
        for pass in 0...Part.lastPass {
            for index in parts.indices where parts[index].pass == pass {
                places[index] = place(of: parts[index], box)
            }
        }
        var hasSigns = false
        for (part, place) in zip(parts, places).reversed() {
            switch (part.kind, place) {
            case (_, .text):
                rest += part.words
                if !part.isReadable {
                    unread.append(
                        words[part.words].map { String(decoding: $0, as: UTF8.self) }
                            .joined(separator: " "))
                }
            case (.pair(let word, let value), _):
                if let sign = TaskSign(for: word.field, value) { signs.append(sign) }
            case (.sign(let sign, let value), _):
                hasSigns = true
                signs.append(sign)
                if sign.meaning == .rule, Repeat.namesDay(ofTasks: value) {
                    movableDays.append("\(sign.text) \(value)")
                }
                if place == .extra { extras.append(Item.Extra(key: sign.text, value: value)) }
            default: break
            }
        }
        if !hasSigns { signs = [] }
        if rest.isEmpty, nameCount == nil, let name = parts.last {
            self = MarkdownTail(words, literal, nameCount: name.words.count, box: box)
        }
    }

    // MARK: Parts

    /// A tag, or a field and its value.
    private struct Part {
        enum Kind {
            case tag
            case pair(TodoTask.PairField, String)
            case sign(TaskSign, String)
        }

        let words: Range<Int>
        let kind: Kind

        /// True if the part is a tag, or a field with a valid value.
        var isReadable: Bool {
            switch kind {
            case .tag: true
            case .pair(let word, let value): word.accepts(value)
            case .sign(let sign, let value):
                switch sign.meaning {
                case .priority, .other: true
                case .rule: false
                default: CalendarDay(value) != nil
                }
            }
        }

        /// The pass in which the part is read. The order matters: a start becomes the scheduled day
        /// only if no sign sets that day; a recurrence may depend on a day; a day of the month
        /// depends on a recurrence.
        var pass: Int {
            switch kind {
            case .pair(let word, _): word.field == "dayOfMonth" ? Self.lastPass : 0
            case .sign(let sign, _): sign.meaning == .start ? 1 : sign.meaning == .rule ? 2 : 0
            case .tag: 0
            }
        }

        static let lastPass = 3

        /// Reads the part that ends with the last of `words`; `nil` if the last word is text.
        init?(endOf words: ArraySlice<Word>, _ literal: LiteralSpans) {
            guard let last = words.last else { return nil }
            let end = words.endIndex
            if !literal.contains(last), MarkdownSyntax.tag(last) != nil {
                (self.words, kind) = (end - 1..<end, .tag)
                return
            }
            if let (word, value) = Self.pair(String(decoding: last, as: UTF8.self)) {
                (self.words, kind) = (end - 1..<end, .pair(word, value))
                return
            }
            guard let (start, sign, value) = Self.signed(words) else { return nil }
            (self.words, kind) = (start..<end, .sign(sign, value))
        }

        /// Reads a word such as `due:2026-03-06`, which has the key of a field.
        private static func pair(_ text: String) -> (TodoTask.PairField, String)? {
            guard case .pair(let pair) = TodoWord(text),
                text.utf8.elementsEqual(TodoWord.pair(pair.key, pair.value).utf8),
                let word = TodoTask.fields.first(where: { $0.key == pair.key })
            else { return nil }
            return (word, TodoTask.spelledOut(pair).value)
        }

        /// The maximum number of words in a rule.
        private static let longestRule = 12

        /// Returns the sign to which the last words belong, with its place and the value after it.
        private static func signed(
            _ words: ArraySlice<Word>
        ) -> (start: Int, sign: TaskSign, value: String)? {
            for place in words.indices.suffix(longestRule + 1).reversed() {
                // No sign is ASCII, and every value is.
                guard words[place].contains(where: { $0 >= 0x80 }) else {
                    if words[place].contains(UInt8(ascii: "\\")) { return nil }
                    continue
                }
                let word = String(decoding: words[place], as: UTF8.self)
                guard let sign = TaskSign(of: word) else { return nil }
                let first = sign.rest(of: word)
                let following = words[(place + 1)...].map { String(decoding: $0, as: UTF8.self) }
                let value = (first.isEmpty ? [] : [first]) + following
                return sign.fits(value.count) ? (place, sign, value.joined(separator: " ")) : nil
            }
            return nil
        }
    }

    // MARK: Fields

    private enum Place {
        case text, field, extra
    }

    /// Stores the value of `part` if possible, and returns where it is stored.
    private mutating func place(of part: Part, _ box: String?) -> Place {
        switch part.kind {
        case .tag: .text
        case .pair(let word, let value): set(word, value) ? .field : .text
        case .sign(let sign, let value):
            if take(sign, value, box) {
                .field
            } else {
                switch sign.meaning {
                case .other: .extra
                case .start where CalendarDay(value) != nil: .extra
                default: .text
                }
            }
        }
    }

    private mutating func take(_ sign: TaskSign, _ value: String, _ box: String?) -> Bool {
        switch sign.meaning {
        case .due: return set("due", value)
        case .scheduled, .start: return set("scheduled", value)
        case .priority(let letter): return set("priority", letter)
        case .rule:
            let rule = Repeat(ofTasks: value, day: item.due ?? item.scheduled)
            guard let rule, !fields.contains("repeat") else { return false }
            item.repeat = rule
            fields.append("repeat")
        case .done, .cancelled:
            guard let box, MarkdownSyntax.isClosed(box), doneOn == nil,
                sign.meaning == .done || box.lowercased() != "x", let day = CalendarDay(value)
            else { return false }
            doneOn = day
        case .created:
            guard createdOn == nil, let day = CalendarDay(value) else { return false }
            createdOn = day
        case .other: return false
        }
        return true
    }

    private mutating func set(_ word: TodoTask.PairField, _ value: String) -> Bool {
        guard !fields.contains(word.field), word.spelling.set(&item, value) else { return false }
        fields.append(word.field)
        return true
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        TodoTask.fields.first { $0.field == name }.map { set($0, value) } ?? false
    }
}

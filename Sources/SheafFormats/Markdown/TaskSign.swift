import SheafList

/// A sign with which the Tasks plugin for Obsidian marks a field at the end of an item's line.
struct TaskSign: Hashable, Sendable {
    /// The meaning of a sign and of the value after it.
    enum Meaning: Hashable, Sendable {
        case due, scheduled
        /// The day when work may begin. It becomes the scheduled day if no other sign sets one.
        case start
        case done, cancelled, created
        case priority(String)
        case rule
        /// A value for which items have no field.
        case other
    }

    let text: String
    let meaning: Meaning

    /// All signs, in the order in which the plugin writes them. Variants from other versions of the
    /// plugin follow the current form.
    static let all: [TaskSign] = [
        ("🆔", .other), ("⛔", .other), ("🔺", .priority("A")), ("⏫", .priority("B")),
        ("🔼", .priority("C")), ("🔽", .priority("D")), ("⏬", .priority("E")), ("🔁", .rule),
        ("🏁", .other), ("➕", .created), ("🛫", .start), ("⏳", .scheduled), ("⌛", .scheduled),
        ("📅", .due), ("📆", .due), ("🗓", .due), ("❌", .cancelled), ("✅", .done),
    ].map { TaskSign(text: $0, meaning: $1) }

    /// The signs for the fields of an item, in the order in which the plugin writes them.
    static let usual = ["⏫", "🔁", "⏳", "📅"].compactMap(TaskSign.init(of:))

    /// Returns the sign at the beginning of `word`, or `nil`.
    init?(of word: String) {
        let scalars = word.unicodeScalars
        guard let sign = Self.all.first(where: { scalars.starts(with: $0.text.unicodeScalars) })
        else { return nil }
        self = sign
    }

    /// Returns the sign that the plugin writes for `value` of a field, or `nil`.
    init?(for field: String, _ value: String) {
        let meaning: Meaning
        switch field {
        case "due": meaning = .due
        case "scheduled": meaning = .scheduled
        case "repeat": meaning = .rule
        case "priority": meaning = .priority(value)
        default: return nil
        }
        guard let sign = Self.all.first(where: { $0.meaning == meaning }) else { return nil }
        self = sign
    }

    private init(text: String, meaning: Meaning) {
        (self.text, self.meaning) = (text, meaning)
    }

    /// Returns the rest of `word` after the sign at its beginning. This function drops scalars,
    /// because a sign and the variation selector for emoji are one character.
    func rest(of word: String) -> String {
        let rest = word.unicodeScalars.dropFirst(text.unicodeScalars.count)
        let selector = Unicode.Scalar(0xFE0F)
        return String(rest.first == selector ? rest.dropFirst() : rest)
    }

    /// Returns true if a value with that number of words may follow the sign.
    func fits(_ words: Int) -> Bool {
        switch meaning {
        case .priority: words == 0
        case .rule: words > 0
        default: words == 1
        }
    }
}

extension Repeat {
    /// Parses a rule in the plugin's spelling, for an item with the date `day`: `every 2 weeks when
    /// done`. `every Tuesday` is `+1w` if `day` is a Tuesday, and `every month on the 1st` is `+1m`
    /// if `day` is the first of a month. Returns `nil` if no rule is equivalent.
    init?(ofTasks text: String, day: CalendarDay?) {
        var words = text.lowercased().split(separator: " ").map(String.init)
        guard words.first == "every" else { return nil }
        if words.count == 2, let weekday = CalendarDay.Weekday(word: words[1]) {
            words = ["every", "week", "on", "\(weekday)"]
        } else if words.count > 1, let month = Self.months.firstIndex(of: words[1]) {
            guard day?.month == month + 1 else { return nil }
            words[1] = "year"
        }
        let place = words.firstIndex(of: "on") ?? words.endIndex
        let rule: Repeat?
        do throws(TypedError) {
            rule = try Repeat.typed(words[..<place].joined(separator: " "))
        } catch {
            return nil
        }
        guard var rule else { return nil }
        let days = words[place...].dropFirst()
        if !days.isEmpty {
            guard let day, rule.isFromDue, days.count < 3 else { return nil }
            switch (rule.unit, days.last) {
            case (.weeks, let word?):
                guard CalendarDay.Weekday(word: word) == day.weekday else { return nil }
            case (.months, let word?), (.years, let word?):
                guard days.count == 1 || days.first == "the", rule.keep(word, of: day) else {
                    return nil
                }
            default: return nil
            }
        }
        self = rule
    }

    /// Returns true if a rule in the plugin's spelling names a day, as `every Tuesday` does. A
    /// ``Repeat`` counts from the item's date, so it keeps that day only until the user moves the
    /// date.
    static func namesDay(ofTasks text: String) -> Bool {
        let words = text.lowercased().split(separator: " ").map(String.init)
        return words.contains("on")
            || words.dropFirst().contains {
                CalendarDay.Weekday(word: $0) != nil || months.contains($0)
            }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    /// Sets the day of the month that `word` names, such as `31st` or `last`, for an item with the
    /// date `day`. Returns false if the rule would then give other days.
    private mutating func keep(_ word: String, of day: CalendarDay) -> Bool {
        let number = word == "last" ? 31 : Int(word.prefix { $0.isASCII && $0.isNumber })
        let ending = word.drop { $0.isASCII && $0.isNumber }
        guard let number, ["last", "st", "nd", "rd", "th", ""].contains(ending) else {
            return false
        }
        if number == day.day { return true }
        guard number > day.day, number <= 31, day == day.lastOfMonth else { return false }
        dayOfMonth = number
        return true
    }

    /// The rule in the plugin's spelling.
    var ofTasks: String {
        let day = dayOfMonth.map { " on the \($0)\($0 == 31 ? "st" : "th")" } ?? ""
        let rule = Repeat(count, unit, isFromDue: true)?.words ?? words
        return rule + (isFromDue ? day : " when done")
    }
}

extension CalendarDay.Weekday {
    /// Returns the weekday with that name in lower case.
    fileprivate init?(word: String) {
        guard let day = Self.allCases.first(where: { "\($0)" == word }) else { return nil }
        self = day
    }
}

extension Repeat {
    /// Returns the rule that a user typed, or nil for `none`.
    ///
    /// | text | rule |
    /// |---|---|
    /// | `2w`, `+2w`, `2 weeks` | as `rec:` has it: `2w`, `+2w`, `2w` |
    /// | `month`, `monthly`, `every 2 weeks` | from the day that it was due: `+1m`, `+2w` |
    /// | `weekday`, `every weekday` | `+1b` |
    /// | any of these with `after done` | from the day when it was done: `3m` |
    package static func typed(_ text: String) throws(TypedError) -> Repeat? {
        var words = text.typedWords
        if words == ["none"] { return nil }
        if words.count == 1, let rule = Repeat(words[0]) { return rule }
        let isAfterDone = ["after", "when"].contains(words.dropLast().last) && words.last == "done"
        if isAfterDone { words.removeLast(2) }
        let isEvery = words.first == "every"
        if isEvery { words.removeFirst() }
        let hasPlus = words.first?.hasPrefix("+") ?? false
        if hasPlus { words[0].removeFirst() }
        if words.first?.isEmpty ?? false { words.removeFirst() }
        guard !(hasPlus && isAfterDone), let (count, unit, isBare) = number(words) else {
            throw TypedError(
                "expected a repeat such as 2w after done, +1m, every month, weekday, or none")
        }
        guard
            let rule = Repeat(
                count, unit, isFromDue: !isAfterDone && (isEvery || hasPlus || isBare))
        else { throw TypedError("expected a repeat of 1 to \(Self.counts.upperBound)") }
        return rule
    }

    /// Returns the number and the unit that `words` spell. `isBare` is true if there is only a
    /// unit.
    private static func number(_ words: [String]) -> (Int, Unit, isBare: Bool)? {
        switch words.count {
        case 1:
            if let unit = adverbs[words[0]] ?? Unit(typed: words[0]), words[0].count > 1 {
                return (1, unit, true)
            }
            let digits = words[0].prefix { $0.isASCII && $0.isNumber }
            guard let count = Int(digits: digits),
                let unit = Unit(typed: String(words[0].dropFirst(digits.count)))
            else { return nil }
            return (count, unit, false)
        case 2:
            guard let count = words[0] == "other" ? 2 : Int(digits: words[0]),
                let unit = Unit(typed: words[1])
            else { return nil }
            return (count, unit, false)
        default: return nil
        }
    }

    private static let adverbs: [String: Unit] = [
        "daily": .days, "weekly": .weeks, "monthly": .months, "yearly": .years,
        "annually": .years, "weekdays": .workdays,
    ]

    /// The rule in words: `every 2 weeks`, `2 weeks after done`.
    package var words: String {
        let name =
            switch unit {
            case .days: "day"
            case .workdays: "weekday"
            case .weeks: "week"
            case .months: "month"
            case .years: "year"
            }
        if isFromDue {
            let day = dayOfMonth.map { ", on day \($0)" } ?? ""
            return "every \(count == 1 ? name : "\(count) \(name)s")\(day)"
        }
        return "\(count) \(name)\(count == 1 ? "" : "s") after done"
    }
}

extension String {
    /// The words of a typed day or repeat in lower case. None if the text is too long, so that a
    /// paste of megabytes is not parsed again for each key.
    var typedWords: [String] {
        utf8.count > 200 ? [] : lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

extension Int {
    /// Creates the number that ASCII digits spell; nil for other text. Numbers are limited to
    /// 10,000 years in days, which is more than the calendar has.
    init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self = Swift.min(Int(digits) ?? .max, 10_000 * 366)
    }
}

extension Repeat.Unit {
    /// Creates the unit that a typed word names.
    init?(typed word: String) {
        switch word {
        case "d", "day", "days": self = .days
        case "b", "weekday", "weekdays", "workday", "workdays": self = .workdays
        case "w", "wk", "week", "weeks": self = .weeks
        case "m", "mo", "month", "months": self = .months
        case "y", "yr", "year", "years": self = .years
        default: return nil
        }
    }
}

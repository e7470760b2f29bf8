/// A day as people type it, counted from `today`.
///
/// | text | day |
/// |---|---|
/// | `today`, `tomorrow`, `yesterday` | that one |
/// | `fri`, `friday` | the next Friday after today |
/// | `next fri` | that day of the week after this |
/// | `next week`, `next month`, `next year` | its first day |
/// | `15`, `15th` | the next 15th, today included |
/// | `15dec`, `dec 15`, `15 december 2027`, `15.12.` | that day, of this year or the next one |
/// | `2026-12-01` | that day |
/// | `3d`, `2w`, `1m`, `1y`, `in 3 days`, `a week` | so much later |
/// | `3b` | so many days later, counted from Monday to Friday |
/// | `-1w`, `2 days ago` | so much earlier |
/// | `eow`, `eom`, `eoq`, `eoy` | the last day of the week, month, quarter, year |
/// | `weekend` | the Saturday |
/// | `som`, `soy` | the first day of the next month, year |
/// | `none` | no day |
public struct TypedDay: Hashable, Sendable {
    /// Nil for `none`.
    public let day: CalendarDay?

    public init(_ day: CalendarDay?) { self.day = day }

    /// Reads `text` in any case.
    ///
    /// - Throws: ``TypedError`` if it says no day.
    public init(_ text: String, today: CalendarDay) throws(TypedError) {
        let reader = Reader(words: TypedWords.words(text), today: today)
        guard reader.words != ["none"] else {
            day = nil
            return
        }
        guard let found = reader.found else {
            throw TypedError(
                "expected a date such as today, fri, 15dec, 2026-12-01, 3d, eom, or none")
        }
        guard let day = found.day else { throw TypedError("there is no such date") }
        self.day = day
    }

    /// What was understood: `Fri 27 Nov, in 5 days`.
    public func words(today: CalendarDay) -> String {
        day.map { "\($0.shortName(today: today)), \($0.distance(from: today))" } ?? "no date"
    }
}

extension CalendarDay {
    /// The weekday, the day and the month, and the year unless it is that of `today`:
    /// `Fri 27 Nov`.
    public func shortName(today: CalendarDay) -> String {
        let name = "\(weekday.shortName) \(day) \(monthName)"
        return year == today.year ? name : "\(name) \(year)"
    }

    /// The first three letters of its month: `Nov`.
    var monthName: String { Self.monthNames[month - 1].prefix(3).capitalized }

    /// `November`.
    public var fullMonthName: String { Self.monthNames[month - 1].capitalized }

    /// How far it is from `today`: `in 5 days`, `today`, `3 days ago`.
    public func distance(from today: CalendarDay) -> String {
        switch days(since: today) {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case let days where days < 0: "\(-days) days ago"
        case let days: "in \(days) days"
        }
    }

    fileprivate static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]
}

extension CalendarDay.Weekday {
    /// `Fri`.
    public var shortName: String { "\(self)".prefix(3).capitalized }

    /// The day that `word` begins or is: `fri`, `frid`, `friday`.
    init?(typed word: String) {
        guard word.count > 2, let day = Self.allCases.first(where: { "\($0)".hasPrefix(word) })
        else { return nil }
        self = day
    }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

/// Tries one reading after the other.
private struct Reader {
    let words: [String]
    let today: CalendarDay

    /// A reading that makes sense, and the day, unless the calendar has no such day.
    struct Found { var day: CalendarDay? }

    var found: Found? {
        switch words.count {
        case 0: nil
        case 1: named(words[0]) ?? ofMonth(words[0]) ?? distance(words[0]) ?? date(words)
        default: next ?? distance ?? date(words)
        }
    }

    // MARK: Names

    private func named(_ word: String) -> Found? {
        switch word {
        case "today", "tod": return Found(day: today)
        case "tomorrow", "tom": return Found(day: today.adding(days: 1))
        case "yesterday": return Found(day: today.adding(days: -1))
        case "eow": return Found(day: inThisWeek(.sunday))
        case "weekend": return Found(day: inThisWeek(.saturday))
        case "eom": return Found(day: today.lastOfMonth)
        case "eoq":
            let last = today.firstOfMonth.adding(months: 2 - (today.month - 1) % 3)
            return Found(day: last?.lastOfMonth)
        case "eoy": return Found(day: CalendarDay(year: today.year, month: 12, day: 31))
        case "som": return Found(day: today.firstOfMonth.adding(months: 1))
        case "soy": return Found(day: CalendarDay(year: today.year + 1, month: 1, day: 1))
        default: break
        }
        if let day = CalendarDay(word) { return Found(day: day) }
        guard let weekday = CalendarDay.Weekday(typed: word) else { return nil }
        return Found(day: today.next(weekday))
    }

    /// The weekday of this week; today counts.
    private func inThisWeek(_ weekday: CalendarDay.Weekday) -> CalendarDay? {
        today.adding(days: max(weekday.rawValue - today.weekday.rawValue, 0))
    }

    private var next: Found? {
        guard words.count == 2, words[0] == "next" else { return nil }
        let monday = today.adding(days: 7 - today.weekday.rawValue)
        switch words[1] {
        case "week": return Found(day: monday)
        case "month": return named("som")
        case "year": return named("soy")
        default:
            guard let weekday = CalendarDay.Weekday(typed: words[1]) else { return nil }
            return Found(day: monday?.adding(days: weekday.rawValue))
        }
    }

    // MARK: Distances

    private func distance(_ word: String) -> Found? {
        let isBefore = word.hasPrefix("-")
        let rest = isBefore || word.hasPrefix("+") ? word.dropFirst() : word[...]
        let digits = rest.prefix { "0"..."9" ~= $0 }
        guard let count = TypedWords.number(digits),
            let unit = TypedWords.unit(String(rest[digits.endIndex...]))
        else { return nil }
        return later(isBefore ? -count : count, unit)
    }

    /// `in 3 days`, `a week`, `3 days ago`.
    private var distance: Found? {
        var words = words
        let isBefore = words.last == "ago"
        if isBefore { words.removeLast() } else if words.first == "in" { words.removeFirst() }
        if words.count == 1, let found = distance(words[0]), !words[0].hasPrefix("-") {
            return isBefore ? distance("-" + words[0].drop { $0 == "+" }) : found
        }
        guard words.count == 2,
            let count = ["a", "an", "one"].contains(words[0]) ? 1 : TypedWords.number(words[0]),
            let unit = TypedWords.unit(words[1])
        else { return nil }
        return later(isBefore ? -count : count, unit)
    }

    private func later(_ count: Int, _ unit: Repeat.Unit) -> Found? {
        switch unit {
        case .days: Found(day: today.adding(days: count))
        case .workdays: count < 0 ? nil : Found(day: today.adding(workdays: count))
        case .weeks: Found(day: today.adding(days: 7 * count))
        case .months: Found(day: today.adding(months: count))
        case .years: Found(day: today.adding(months: 12 * count))
        }
    }

    // MARK: Dates

    /// `15`, `15th`: the next month that has such a day.
    private func ofMonth(_ word: String) -> Found? {
        let digits = word.prefix { "0"..."9" ~= $0 }
        guard ["", "st", "nd", "rd", "th"].contains(word[digits.endIndex...]),
            digits.count < 3, let day = TypedWords.number(digits), (1...31).contains(day)
        else { return nil }
        for months in 0...2 {
            guard let month = today.firstOfMonth.adding(months: months) else { break }
            if let found = CalendarDay(year: month.year, month: month.month, day: day),
                found >= today
            {
                return Found(day: found)
            }
        }
        return Found(day: nil)
    }

    /// A day and a month by its name, in any order, and perhaps a year; or numbers and dots.
    private func date(_ words: [String]) -> Found? {
        if let dotted = dotted(words.joined()) { return dotted }
        let parts = words.flatMap(Self.parts)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let isDayFirst = TypedWords.number(parts[0]) != nil
        let (number, name) = isDayFirst ? (parts[0], parts[1]) : (parts[1], parts[0])
        let month = CalendarDay.monthNames.firstIndex { name.count > 2 && $0.hasPrefix(name) }
        guard let day = TypedWords.number(number), let month else { return nil }
        guard parts.count == 3 else { return dated(day: day, month: month + 1, year: nil) }
        guard let year = TypedWords.number(parts[2]) else { return nil }
        return dated(day: day, month: month + 1, year: year)
    }

    /// The numbers and the names in a word; the ending of `15th`, and commas and dots after either,
    /// are none.
    private static func parts(of word: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = word[...]
        while let first = rest.first {
            let isNumber = "0"..."9" ~= first
            let part = rest.prefix { isNumber ? "0"..."9" ~= $0 : $0.isLetter }
            guard !part.isEmpty else { return [] }
            rest = rest[part.endIndex...].drop { $0 == "," || $0 == "." }
            let isEnding = ["st", "nd", "rd", "th"].contains(part)
            if !isEnding || parts.last.flatMap(TypedWords.number) == nil { parts.append(part) }
        }
        return parts
    }

    /// `15.12.`, `15.12`, `15.12.2026`.
    private func dotted(_ text: String) -> Found? {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].isEmpty { parts.removeLast() }
        let numbers = parts.compactMap { TypedWords.number($0) }
        guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
        return dated(
            day: numbers[0], month: numbers[1], year: numbers.count == 3 ? numbers[2] : nil)
    }

    /// The day, without a year the first from today on: 29 February may take eight years. A year of
    /// two digits is one of this century, as nobody types one of antiquity.
    private func dated(day: Int, month: Int, year: Int?) -> Found {
        if let year {
            let year = (10...99).contains(year) ? year + 2_000 : year < 10 ? 0 : year
            return Found(day: CalendarDay(year: year, month: month, day: day))
        }
        for year in today.year...today.year + 8 {
            if let found = CalendarDay(year: year, month: month, day: day), found >= today {
                return Found(day: found)
            }
        }
        return Found(day: nil)
    }
}

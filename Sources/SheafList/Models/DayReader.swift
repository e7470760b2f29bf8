/// A parser for days as users type them in prompts, options, item lines and queries.
///
/// A text without a year or a month, such as `fri` or `15dec`, means the next such day, or the last
/// one in a query that looks back.
struct DayReader {
    let today: CalendarDay
    /// True if texts refer to past days, such as the creation dates of items.
    var looksBack = false

    /// The meaning of a text.
    enum Reading: Hashable {
        /// A day, or all days of a month or a year; nil if the calendar has no such day.
        case days(ClosedRange<CalendarDay>?)
        /// The nearest day that matches a day of the month (`15`) or a date without a year
        /// (`15dec`), or nil if the calendar has no such day.
        case nearest(CalendarDay?)
        case weekday(CalendarDay.Weekday)
        /// A number of units without a sign. In a prompt, it means the day at this distance; in a
        /// query, all days up to it.
        case length(Int, Repeat.Unit)

        fileprivate static func day(_ day: CalendarDay?) -> Reading { .days(day.map { $0...$0 }) }

        /// True if the text names a day that is not in the calendar.
        var isNoDay: Bool { self == .days(nil) || self == .nearest(nil) }
    }

    /// Returns the meaning of `text`, ignoring case, or `nil` if it is not a day.
    func reading(of text: String) -> Reading? {
        let words = text.typedWords
        switch words.count {
        case 0: return nil
        case 1:
            return named(words[0]) ?? ofMonth(words[0]) ?? distance(words[0]) ?? date(words)
                ?? period(words[0])
        default: return next(words) ?? distance(words) ?? date(words)
        }
    }

    /// Returns the days of a reading, or `nil` if the calendar has no such day.
    func days(of reading: Reading) -> ClosedRange<CalendarDay>? {
        switch reading {
        case .days(let days): days
        case .nearest(let day): Self.single(day)
        case .weekday(let day): Self.single(looksBack ? today.last(day) : today.next(day))
        case .length(let count, let unit):
            Self.single(today.adding(looksBack ? -count : count, unit))
        }
    }

    private static func single(_ day: CalendarDay?) -> ClosedRange<CalendarDay>? {
        day.map { $0...$0 }
    }

    // MARK: Names

    /// The names of single days.
    static let names = ["today", "yesterday", "tomorrow"]

    private func named(_ word: String) -> Reading? {
        switch word {
        case "today", "tod": return .day(today)
        case "tomorrow", "tom": return .day(today.adding(days: 1))
        case "yesterday": return .day(today.adding(days: -1))
        case "eow": return .day(inThisWeek(.sunday))
        case "weekend": return .day(inThisWeek(.saturday))
        case "eom": return .day(today.lastOfMonth)
        case "eoq":
            let last = today.firstOfMonth.adding(months: 2 - (today.month - 1) % 3)
            return .day(last?.lastOfMonth)
        case "eoy": return .day(CalendarDay(year: today.year, month: 12, day: 31))
        case "som": return .day(today.firstOfMonth.adding(months: 1))
        case "soy": return .day(CalendarDay(year: today.year + 1, month: 1, day: 1))
        default: break
        }
        if let day = CalendarDay(word) { return .day(day) }
        return CalendarDay.Weekday(typed: word).map { .weekday($0) }
    }

    /// Parses `2026-06` or `2026`, or a day that does not exist, such as `2027-02-29`.
    private func period(_ word: String) -> Reading? {
        if let day = CalendarDay("\(word)-01") { return .days(day...day.lastOfMonth) }
        if let day = CalendarDay("\(word)-01-01") {
            return .days(day...day.advanced(months: 11).lastOfMonth)
        }
        let numbers = word.split(separator: "-", omittingEmptySubsequences: false)
        let isSpelled =
            [[4, 2], [4, 2, 2]].contains(numbers.map(\.count))
            && numbers.allSatisfy { Int(digits: $0) != nil }
        return isSpelled ? .days(nil) : nil
    }

    /// Returns the given weekday of the current week, or today if that day has passed.
    private func inThisWeek(_ weekday: CalendarDay.Weekday) -> CalendarDay? {
        today.adding(days: max(weekday.rawValue - today.weekday.rawValue, 0))
    }

    private func next(_ words: [String]) -> Reading? {
        guard words.count == 2, words[0] == "next" else { return nil }
        let monday = today.adding(days: 7 - today.weekday.rawValue)
        switch words[1] {
        case "week": return .day(monday)
        case "month": return named("som")
        case "year": return named("soy")
        default:
            guard let weekday = CalendarDay.Weekday(typed: words[1]) else { return nil }
            return .day(monday?.adding(days: weekday.rawValue))
        }
    }

    // MARK: Distances

    /// Parses `3d`, `-1w`, `+2m`.
    private func distance(_ word: String) -> Reading? {
        let isBefore = word.hasPrefix("-")
        let isSigned = isBefore || word.hasPrefix("+")
        let rest = isSigned ? word.dropFirst() : word[...]
        let digits = rest.prefix { "0"..."9" ~= $0 }
        guard let count = Int(digits: digits),
            let unit = Repeat.Unit(typed: String(rest[digits.endIndex...])),
            unit != .workdays || !isBefore && (isSigned || !looksBack)
        else { return nil }
        return isSigned ? .day(today.adding(isBefore ? -count : count, unit)) : .length(count, unit)
    }

    /// Parses `in 3 days` and `3 days ago`; or `3 days` and `a week`, which are lengths like `3d`
    /// and `1w`.
    private func distance(_ words: [String]) -> Reading? {
        var words = words
        let isBefore = words.last == "ago"
        let isAhead = !isBefore && words.first == "in"
        if isBefore { words.removeLast() } else if isAhead { words.removeFirst() }
        if words.count == 1, !words[0].hasPrefix("-"),
            case .length(let count, let unit)? = distance(String(words[0].drop { $0 == "+" }))
        {
            return .day(today.adding(isBefore ? -count : count, unit))
        }
        guard words.count == 2,
            let count = ["a", "an", "one"].contains(words[0]) ? 1 : Int(digits: words[0]),
            let unit = Repeat.Unit(typed: words[1]),
            unit != .workdays || !isBefore && (isAhead || !looksBack)
        else { return nil }
        guard isBefore || isAhead else { return .length(count, unit) }
        return .day(today.adding(isBefore ? -count : count, unit))
    }

    // MARK: Dates

    /// Parses `15` or `15th`: the day of the nearest month that has it.
    private func ofMonth(_ word: String) -> Reading? {
        let digits = word.prefix { "0"..."9" ~= $0 }
        guard ["", "st", "nd", "rd", "th"].contains(word[digits.endIndex...]),
            digits.count < 3, let day = Int(digits: digits), (1...31).contains(day)
        else { return nil }
        return nearest(of: 0...2) { number in
            guard let month = today.firstOfMonth.adding(months: number) else { return nil }
            return CalendarDay(year: month.year, month: month.month, day: day)
        }
    }

    /// Parses a day and the name of a month, in any order, with or without a year; or numbers and
    /// dots.
    private func date(_ words: [String]) -> Reading? {
        if let dotted = dotted(words.joined()) { return dotted }
        let parts = words.flatMap(Self.parts)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let isDayFirst = Int(digits: parts[0]) != nil
        let (number, name) = isDayFirst ? (parts[0], parts[1]) : (parts[1], parts[0])
        let month = CalendarDay.monthNames.firstIndex { name.count > 2 && $0.hasPrefix(name) }
        guard let day = Int(digits: number), let month else { return nil }
        guard parts.count == 3 else { return dated(day: day, month: month + 1, year: nil) }
        guard let year = Int(digits: parts[2]) else { return nil }
        return dated(day: day, month: month + 1, year: year)
    }

    /// Returns the numbers and names in a word, without the ending of `15th` and without commas and
    /// dots after a number or name.
    private static func parts(of word: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = word[...]
        while let first = rest.first {
            let isNumber = "0"..."9" ~= first
            let part = rest.prefix { isNumber ? "0"..."9" ~= $0 : $0.isLetter }
            guard !part.isEmpty else { return [] }
            rest = rest[part.endIndex...].drop { $0 == "," || $0 == "." }
            let isEnding = ["st", "nd", "rd", "th"].contains(part)
            if !isEnding || parts.last.flatMap({ Int(digits: $0) }) == nil { parts.append(part) }
        }
        return parts
    }

    /// Parses `15.12.`, `15.12`, `15.12.2026`.
    private func dotted(_ text: String) -> Reading? {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].isEmpty { parts.removeLast() }
        let numbers = parts.compactMap { Int(digits: $0) }
        guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
        return dated(
            day: numbers[0], month: numbers[1], year: numbers.count == 3 ? numbers[2] : nil)
    }

    /// Returns the given date. Without a year, returns the nearest such date; 29 February may be
    /// eight years away. A two-digit year belongs to the years from 2010 to 2099.
    private func dated(day: Int, month: Int, year: Int?) -> Reading {
        if let year {
            let year = (10...99).contains(year) ? year + 2_000 : year < 10 ? 0 : year
            return .day(CalendarDay(year: year, month: month, day: day))
        }
        return nearest(of: 0...8) { number in
            CalendarDay(year: today.year + number, month: month, day: day)
        }
    }

    /// Returns the first existing day from today on or, if the reader looks back, the last one up
    /// to today.
    private func nearest(
        of numbers: ClosedRange<Int>, _ day: (_ number: Int) -> CalendarDay?
    ) -> Reading {
        for number in numbers {
            guard let day = day(looksBack ? -number : number) else { continue }
            if looksBack ? day <= today : day >= today { return .nearest(day) }
        }
        return .nearest(nil)
    }
}

extension CalendarDay {
    /// Returns the day `count` units later, or nil if it is outside the calendar. A negative count
    /// of workdays is not supported.
    fileprivate func adding(_ count: Int, _ unit: Repeat.Unit) -> CalendarDay? {
        switch unit {
        case .days: adding(days: count)
        case .workdays: count < 0 ? nil : adding(workdays: count)
        case .weeks: adding(days: 7 * count)
        case .months: adding(months: count)
        case .years: adding(months: 12 * count)
        }
    }
}

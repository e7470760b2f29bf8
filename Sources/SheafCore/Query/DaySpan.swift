/// Calendar days that a time may lie on, as a query says them; which these are depends on the day
/// on which it is asked.
///
/// | text | days |
/// |---|---|
/// | `today`, `yesterday`, `2026-06-15`, `2026-06`, `2026` | that day, month or year |
/// | `2w` (`d`, `w`, `mo`, `y`) | the last two weeks, today included |
/// | `>3d`, `<3d` | longer ago than three days, less long |
/// | `<2026-06`, `>2026-06` | before it, after it |
/// | `2026-05..2026-06-15`, `2w..`, `..yesterday` | from the first day of one to the other's last |
///
/// `<=` and `>=` include what they compare with.
///
/// Days that are to come (``Counting/ahead``) are spelled the same way, but lengths count forward:
///
/// | text | days |
/// |---|---|
/// | `today`, `tomorrow`, `fri` | that day, the next Friday after today |
/// | `2w` | the next two weeks, from today on |
/// | `>3d`, `<3d` | later than in three days, earlier, with all that is past |
/// | `today..2w` | from today to the day in two weeks |
public struct DaySpan: Hashable, Sendable {
    /// Which way lengths count.
    public enum Counting: Hashable, Sendable {
        /// From today back: ages.
        case ago
        /// From today on.
        case ahead
    }

    /// The days that have a name whatever day it is: `today`, `yesterday` and, ahead, `tomorrow`.
    static func names(_ counting: Counting) -> [String] {
        NamedDay.allCases.filter { $0.isPart(of: counting) }.map(\.rawValue)
    }

    /// The first and the last of its days, or nil where it has no such end.
    private var first: Bound?
    private var last: Bound?

    private struct Bound: Hashable, Sendable {
        var days: Days
        /// Whether the days themselves are part of the span.
        var isIncluded = true
    }

    /// The days that `text` says, or nil if it says none.
    public init?(_ text: String, _ counting: Counting = .ago) {
        if let dots = text.firstRange(of: "..") {
            let ends = (text[..<dots.lowerBound], text[dots.upperBound...])
            guard !ends.0.isEmpty || !ends.1.isEmpty else { return nil }
            first = Days(ends.0, counting).map { Bound(days: $0) }
            last = Days(ends.1, counting).map { Bound(days: $0) }
            guard (first == nil) == ends.0.isEmpty, (last == nil) == ends.1.isEmpty else {
                return nil
            }
            return
        }
        let comparison = text.prefix { "<>=".contains($0) }
        guard let days = Days(text[comparison.endIndex...], counting) else { return nil }
        let bound = Bound(days: days, isIncluded: comparison.count != 1)
        // A longer time ago is an earlier day.
        let isEarlier = comparison.first == (days.isLength && counting == .ago ? ">" : "<")
        switch comparison {
        case "" where days.isLength && counting == .ahead:
            (first, last) = (Bound(days: .later(0)), bound)
        case "" where days.isLength: first = bound
        case "": (first, last) = (bound, bound)
        case "<", "<=", ">", ">=": if isEarlier { last = bound } else { first = bound }
        default: return nil
        }
    }

    /// Whether it is a range whose end comes before its beginning, whatever day it is. Where that
    /// depends on the day, as with `2026-06..today`, it is not.
    var isBackwards: Bool {
        guard let first = first?.days, let last = last?.days else { return false }
        if let first = first.fixed, let last = last.fixed {
            return first.lowerBound > last.upperBound
        }
        guard let first = first.distance, let last = last.distance else { return false }
        return first.lowerBound > last.upperBound
    }

    /// The times that lie on its days, where the user's days begin as `calendar` says and today is
    /// that of `now`.
    func times(now: Timestamp, in calendar: LocalCalendar) -> TimeSpan {
        guard let range = days(today: calendar.day(now)) else { return .none }
        // A calendar counts what lies beyond its first and its last day to these: they have no
        // beginning and no end.
        let start = range.first == .first ? nil : range.first
        let end = range.last.adding(days: 1)
        return TimeSpan(
            days: .init(start: start.map(Timestamp.init), end: end.map(Timestamp.init)),
            moments: .init(start: start.map(calendar.start), end: end.map(calendar.start)))
    }

    /// Its days, or nil where it has none.
    func days(today: CalendarDay) -> DayRange? {
        var range = DayRange(first: .first, last: .last)
        if let first {
            let days = first.days.range(today: today)
            guard let start = first.isIncluded ? days.lowerBound : days.upperBound.adding(days: 1)
            else { return nil }
            range.first = start
        }
        if let last {
            let days = last.days.range(today: today)
            guard let end = last.isIncluded ? days.upperBound : days.lowerBound.adding(days: -1)
            else { return nil }
            range.last = end
        }
        return range.first > range.last ? nil : range
    }
}

/// Days from one to another.
struct DayRange: Hashable, Sendable {
    var first: CalendarDay
    var last: CalendarDay

    func contains(_ day: CalendarDay) -> Bool { first <= day && day <= last }
}

/// The times that lie on days from one to another in a time zone.
struct TimeSpan: Hashable, Sendable {
    /// Times between two.
    struct Bounds: Hashable, Sendable {
        /// The first of them, or nil where there is none.
        var start: Timestamp?
        /// The first after them, or nil where there is none.
        var end: Timestamp?

        fileprivate func contains(_ time: Timestamp) -> Bool {
            (start.map { $0 <= time } ?? true) && (end.map { time < $0 } ?? true)
        }
    }

    /// Those that are days without a time: the same in every time zone.
    var days: Bounds
    var moments: Bounds

    /// No time at all: none is before the earliest.
    static let none = TimeSpan(days: before, moments: before)
    private static let before = Bounds(end: Timestamp(milliseconds: .min))

    func contains(_ time: Timestamp) -> Bool {
        time.isDay ? days.contains(time) : moments.contains(time)
    }
}

/// A day that is known by its distance from today.
private enum NamedDay: String, CaseIterable {
    case today, yesterday, tomorrow

    func isPart(of counting: DaySpan.Counting) -> Bool { self != .tomorrow || counting == .ahead }

    var distance: Int {
        switch self {
        case .today: 0
        case .yesterday: -1
        case .tomorrow: 1
        }
    }
}

/// Days that have one name.
private enum Days: Hashable, Sendable {
    /// So many days after today.
    case later(Int)
    case weekday(CalendarDay.Weekday)
    /// A length, negative if it counts back from today.
    case length(Int, Unit)
    case day(CalendarDay)
    case month(CalendarDay)
    case year(CalendarDay)

    enum Unit: String, Hashable, Sendable {
        case days = "d"
        case weeks = "w"
        case months = "mo"
        case years = "y"
    }

    init?(_ text: Substring, _ counting: DaySpan.Counting) {
        if let named = NamedDay(rawValue: String(text)), named.isPart(of: counting) {
            self = .later(named.distance)
        } else {
            let digits = text.prefix { "0"..."9" ~= $0 }
            // More years than a calendar has are as good as the most that it has.
            let count = min(Int(digits) ?? .max, 10_000 * 366)
            if let unit = Unit(rawValue: String(text[digits.endIndex...])), !digits.isEmpty {
                self = .length(counting == .ago ? -count : count, unit)
            } else if let day = CalendarDay(String(text)) {
                self = .day(day)
            } else if let day = CalendarDay("\(text)-01") {
                self = .month(day)
            } else if let day = CalendarDay("\(text)-01-01") {
                self = .year(day)
            } else if counting == .ahead, let day = CalendarDay.Weekday(typed: String(text)) {
                self = .weekday(day)
            } else {
                return nil
            }
        }
    }

    var isLength: Bool {
        if case .length = self { true } else { false }
    }

    /// The days, if today has no part in them.
    var fixed: ClosedRange<CalendarDay>? {
        switch self {
        case .day, .month, .year: range(today: .first)
        case .later, .weekday, .length: nil
        }
    }

    /// How many days after today it may be, whatever day that is; nil where nothing is known of it,
    /// or the calendar may end before.
    var distance: ClosedRange<Int>? {
        switch self {
        case .later(let days): days...days
        case .length(let number, let unit) where abs(number) <= 1_000:
            switch unit {
            case .days: Self.times(number, 1...1)
            case .weeks: Self.times(number, 7...7)
            case .months: Self.times(number, 28...31)
            case .years: Self.times(number, 365...366)
            }
        case .length, .weekday, .day, .month, .year: nil
        }
    }

    private static func times(_ number: Int, _ days: ClosedRange<Int>) -> ClosedRange<Int> {
        let ends = (number * days.lowerBound, number * days.upperBound)
        return min(ends.0, ends.1)...max(ends.0, ends.1)
    }

    func range(today: CalendarDay) -> ClosedRange<CalendarDay> {
        switch self {
        case .later(let days): single(today.advanced(days: days))
        case .weekday(let day): single(today.next(day) ?? .last)
        case .length(let number, .days): single(today.advanced(days: number))
        case .length(let number, .weeks): single(today.advanced(days: 7 * number))
        case .length(let number, .months): single(today.advanced(months: number))
        case .length(let number, .years): single(today.advanced(months: 12 * number))
        case .day(let day): single(day)
        case .month(let day): day...day.lastOfMonth
        case .year(let day): day...day.advanced(months: 11).lastOfMonth
        }
    }

    private func single(_ day: CalendarDay) -> ClosedRange<CalendarDay> { day...day }
}

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
public struct DaySpan: Hashable, Sendable {
    /// The first and the last of its days, or nil where it has no such end.
    private var first: Bound?
    private var last: Bound?

    private struct Bound: Hashable, Sendable {
        var days: Days
        /// Whether the days themselves are part of the span.
        var isIncluded = true
    }

    /// The days that `text` says, or nil if it says none.
    public init?(_ text: String) {
        if let dots = text.firstRange(of: "..") {
            let ends = (text[..<dots.lowerBound], text[dots.upperBound...])
            guard !ends.0.isEmpty || !ends.1.isEmpty else { return nil }
            first = Days(ends.0).map { Bound(days: $0) }
            last = Days(ends.1).map { Bound(days: $0) }
            guard (first == nil) == ends.0.isEmpty, (last == nil) == ends.1.isEmpty else {
                return nil
            }
            return
        }
        let comparison = text.prefix { "<>=".contains($0) }
        guard let days = Days(text[comparison.endIndex...]) else { return nil }
        let bound = Bound(days: days, isIncluded: comparison.count != 1)
        switch (comparison, days.isAge) {
        case ("", false): (first, last) = (bound, bound)
        // A longer time ago is an earlier day.
        case ("", true), ("<", true), ("<=", true), (">", false), (">=", false): first = bound
        case (">", true), (">=", true), ("<", false), ("<=", false): last = bound
        default: return nil
        }
    }

    /// The times that lie on its days, where the user's days begin as `calendar` says and today is
    /// that of `now`.
    func times(now: Timestamp, in calendar: LocalCalendar) -> TimeSpan {
        // A calendar counts what lies beyond its first and its last day to these: they have no
        // beginning and no end.
        func start(of day: CalendarDay) -> Timestamp? {
            day == .first ? nil : calendar.start(day)
        }
        func end(of day: CalendarDay) -> Timestamp? {
            day == .last ? nil : calendar.start(day.advanced(days: 1))
        }
        let today = calendar.day(now)
        var span = TimeSpan()
        if let first {
            let days = first.days.range(today: today)
            if first.isIncluded {
                span.start = start(of: days.lowerBound)
            } else if let end = end(of: days.upperBound) {
                span.start = end
            } else {
                return .none
            }
        }
        if let last {
            let days = last.days.range(today: today)
            if last.isIncluded {
                span.end = end(of: days.upperBound)
            } else if let start = start(of: days.lowerBound) {
                span.end = start
            } else {
                return .none
            }
        }
        return span
    }
}

/// Points in time between two.
struct TimeSpan: Hashable, Sendable {
    /// The first of them, or nil where there is none.
    var start: Timestamp?
    /// The first after them, or nil where there is none.
    var end: Timestamp?

    /// No time at all: none is before the earliest.
    static let none = TimeSpan(end: Timestamp(milliseconds: .min))

    func contains(_ time: Timestamp) -> Bool {
        (start.map { $0 <= time } ?? true) && (end.map { time < $0 } ?? true)
    }
}

/// Days that have one name.
private enum Days: Hashable, Sendable {
    /// Today is 0.
    case daysAgo(Int)
    case age(Int, Unit)
    case day(CalendarDay)
    case month(CalendarDay)
    case year(CalendarDay)

    enum Unit: String, Hashable, Sendable {
        case days = "d"
        case weeks = "w"
        case months = "mo"
        case years = "y"
    }

    init?(_ text: Substring) {
        switch text {
        case "today": self = .daysAgo(0)
        case "yesterday": self = .daysAgo(1)
        default:
            let digits = text.prefix { "0"..."9" ~= $0 }
            // More years than a calendar has are as good as the most that it has.
            if let unit = Unit(rawValue: String(text[digits.endIndex...])), !digits.isEmpty {
                self = .age(min(Int(digits) ?? .max, 10_000 * 366), unit)
            } else if let day = CalendarDay(String(text)) {
                self = .day(day)
            } else if let day = CalendarDay("\(text)-01") {
                self = .month(day)
            } else if let day = CalendarDay("\(text)-01-01") {
                self = .year(day)
            } else {
                return nil
            }
        }
    }

    var isAge: Bool {
        if case .age = self { true } else { false }
    }

    func range(today: CalendarDay) -> ClosedRange<CalendarDay> {
        switch self {
        case .daysAgo(let days): single(today.advanced(days: -days))
        case .age(let number, .days): single(today.advanced(days: -number))
        case .age(let number, .weeks): single(today.advanced(days: -7 * number))
        case .age(let number, .months): single(today.advanced(months: -number))
        case .age(let number, .years): single(today.advanced(months: -12 * number))
        case .day(let day): single(day)
        case .month(let day): day...day.lastOfMonth
        case .year(let day): day...day.advanced(months: 11).lastOfMonth
        }
    }

    private func single(_ day: CalendarDay) -> ClosedRange<CalendarDay> { day...day }
}

/// Calendar days as a query says them. Which days these are depends on when the query is asked.
///
/// | text | days |
/// |---|---|
/// | `today`, `fri`, `15dec`, `eom`, `2026-06-15`, `2026-06`, `2026` | that day, month or year |
/// | `2w` | the last two weeks, today included |
/// | `>3d`, `<3d` | longer ago than three days, less long |
/// | `<2026-06`, `>2026-06` | before it, after it |
/// | `2026-05..2026-06-15`, `2w..`, `..yesterday` | from the first day of one to the other's last |
/// | `mon..fri` | the last such range of weekdays |
/// | `20dec..5jan`, `10..20` | the last such range of dates that has begun by today |
/// | `1nov..2026-01` | from the last such date before the other end, if the range ran backwards |
///
/// `<=` and `>=` include the days that follow them. Single days are those of ``DayReader``.
///
/// Days that are to come (``Counting/ahead``) are spelled the same way, but lengths, weekdays and
/// dates without a year look forward:
///
/// | text | days |
/// |---|---|
/// | `2w` | the next two weeks, from today on |
/// | `>3d`, `<3d` | later than in three days; earlier, with all that is past |
/// | `today..2w` | from today to the day in two weeks |
/// | `mon..fri` | the next such range of weekdays, after today |
/// | `20dec..5jan`, `10..20` | the next such range of dates that has not ended before today |
/// | `15dec..2027` | from the next such date, as `15dec` alone means it |
public struct DaySpan: Hashable, Sendable {
    /// Which way lengths count.
    public enum Counting: Hashable, Sendable {
        /// From today back: ages.
        case ago
        /// From today on.
        case ahead
    }

    /// The first and the last of its days, or nil where it has no such end.
    private var first: Bound?
    private var last: Bound?
    private let counting: Counting
    /// True if it was typed as two ends.
    private let isRange: Bool

    private struct Bound: Hashable, Sendable {
        var days: Days
        /// Whether the days themselves are part of the span.
        var isIncluded = true
    }

    /// True if `text` says a day that the calendar does not have, such as 29 February 2027.
    static func hasNoSuchDay(_ text: String) -> Bool {
        text.drop { "<>=".contains($0) }.split(separator: "..").contains {
            DayReader(today: .epoch).reading(of: String($0))?.isNoDay ?? false
        }
    }

    /// The days that `text` says, or nil if it says none.
    public init?(_ text: String, _ counting: Counting = .ago) {
        self.counting = counting
        // A day may end with a dot: 1.11...30.11.
        let three = text.firstRange(of: "...").map {
            text.index(after: $0.lowerBound)..<$0.upperBound
        }
        if let dots = three ?? text.firstRange(of: "..") {
            isRange = true
            let ends = (text[..<dots.lowerBound], text[dots.upperBound...])
            guard !ends.0.isEmpty || !ends.1.isEmpty else { return nil }
            first = Days(ends.0, counting).map { Bound(days: $0) }
            last = Days(ends.1, counting).map { Bound(days: $0) }
            guard (first == nil) == ends.0.isEmpty, (last == nil) == ends.1.isEmpty else {
                return nil
            }
            return
        }
        isRange = false
        let comparison = text.prefix { "<>=".contains($0) }
        guard let days = Days(text[comparison.endIndex...], counting) else { return nil }
        let bound = Bound(days: days, isIncluded: comparison.count != 1)
        // A longer time ago is an earlier day.
        let isEarlier = comparison.first == (days.isLength && counting == .ago ? ">" : "<")
        switch comparison {
        case "" where days.isLength && counting == .ahead:
            (first, last) = (Days("today", counting).map { Bound(days: $0) }, bound)
        case "" where days.isLength: first = bound
        case "": (first, last) = (bound, bound)
        case "<", "<=", ">", ">=": if isEarlier { last = bound } else { first = bound }
        default: return nil
        }
    }

    /// True if it is a range that ends before it begins, as `today..2020` does.
    func isBackwards(today: CalendarDay) -> Bool { isRange && days(today: today) == nil }

    /// The times that lie on its days, where the user's days begin as `calendar` says and today is
    /// that of `now`; nil where it has no days.
    func times(now: Timestamp, in calendar: LocalCalendar) -> TimeSpan? {
        guard let days = days(today: calendar.day(now)) else { return nil }
        // A calendar counts what lies beyond its first and its last day to these: they have no
        // beginning and no end.
        func times(_ start: (CalendarDay) -> Timestamp) -> Bounds<Timestamp> {
            let first = days.first == .first ? .min : start(days.first).milliseconds
            let last = days.last.adding(days: 1).map { start($0).milliseconds - 1 } ?? .max
            return Bounds(
                first: Timestamp(milliseconds: first), last: Timestamp(milliseconds: last))
        }
        return TimeSpan(days: times(Timestamp.init), moments: times(calendar.start))
    }

    /// Its days, or nil where it has none.
    func days(today: CalendarDay) -> Bounds<CalendarDay>? {
        var range = Bounds(first: CalendarDay.first, last: .last)
        var (starts, ends) = (first?.days.range(today: today), last?.days.range(today: today))
        if isRange, let first = first?.days, let last = last?.days, first.isWeekday, last.isWeekday
        {
            // The nearest range of these weekdays, whole.
            switch counting {
            case .ahead:
                ends = starts?.lowerBound.adding(days: -1).flatMap { last.range(today: $0) }
            case .ago: starts = ends?.upperBound.adding(days: 1).flatMap { first.range(today: $0) }
            }
        } else if isRange, let first = first?.days, let last = last?.days,
            let start = starts?.lowerBound, let end = ends?.upperBound
        {
            // Each end is the day of a query for it alone, unless that range runs backwards, or
            // spans more than a year between two dates without a year.
            let isBackwards = start > end
            switch (first.isNearest, last.isNearest) {
            case (true, true) where isBackwards || end.days(since: start) > 366:
                (starts, ends) = nearest(from: first, to: last, today: today)
            case (true, false) where isBackwards: starts = first.range(today: end, looksBack: true)
            case (false, true) where isBackwards: ends = last.range(today: start, looksBack: false)
            default: break
            }
        }
        if let first {
            guard let days = starts,
                let start = first.isIncluded ? days.lowerBound : days.upperBound.adding(days: 1)
            else { return nil }
            range.first = start
        }
        if let last {
            guard let days = ends,
                let end = last.isIncluded ? days.upperBound : days.lowerBound.adding(days: -1)
            else { return nil }
            range.last = end
        }
        if range.first > range.last {
            // On a weekend the working day of `0b` is the Friday before.
            if isRange { return nil }
            range.first = range.last
        }
        return range
    }

    /// The ends of the nearest range between two dates without a year: of the past, the last one
    /// that has begun; of the future, the first one that has not ended. Neither date comes again
    /// within it, so `29feb..1mar` always is a range of two days.
    private func nearest(
        from first: Days, to last: Days, today: CalendarDay
    ) -> (ClosedRange<CalendarDay>?, ClosedRange<CalendarDay>?) {
        let isAhead = counting == .ahead
        let (near, far) = isAhead ? (last, first) : (first, last)
        var day: CalendarDay? = today
        while let start = day, let end = near.range(today: start),
            let other = far.range(today: end.lowerBound, looksBack: isAhead)
        {
            if near.range(today: other.lowerBound) == end {
                return isAhead ? (other, end) : (end, other)
            }
            day = end.lowerBound.adding(days: isAhead ? 1 : -1)
        }
        return (nil, nil)
    }
}

/// Values from one to another, both included. A time zone may skip a day: then `last` comes first,
/// and there are no values.
struct Bounds<Value: Comparable & Hashable & Sendable>: Hashable, Sendable {
    var first: Value
    var last: Value

    func contains(_ value: Value) -> Bool { first <= value && value <= last }
}

/// The times that lie on days from one to another in a time zone.
struct TimeSpan: Hashable, Sendable {
    /// Those that are days without a time: the same in every time zone.
    var days: Bounds<Timestamp>
    var moments: Bounds<Timestamp>

    func contains(_ time: Timestamp) -> Bool {
        time.isDay ? days.contains(time) : moments.contains(time)
    }
}

/// One end of a span: a text that ``DayReader`` reads again on each day.
private struct Days: Hashable, Sendable {
    let isLength: Bool
    let isWeekday: Bool
    /// True if it is a date without a year, or a month.
    let isNearest: Bool
    private let text: String
    private let looksBack: Bool

    init?(_ text: Substring, _ counting: DaySpan.Counting) {
        self.text = String(text)
        looksBack = counting == .ago
        // Whether a text says days does not depend on the day on which it is read.
        guard let reading = DayReader(today: .epoch, looksBack: looksBack).reading(of: self.text),
            !reading.isNoDay
        else { return nil }
        isLength = if case .length = reading { true } else { false }
        isWeekday = if case .weekday = reading { true } else { false }
        isNearest = if case .nearest = reading { true } else { false }
    }

    /// Its days, or nil if the calendar has none such. The end of the calendar is the end of any
    /// length. `looksBack` is true if the last such day is meant, not the next; by default as the
    /// query looks.
    func range(today: CalendarDay, looksBack: Bool? = nil) -> ClosedRange<CalendarDay>? {
        let looksBack = looksBack ?? self.looksBack
        let reader = DayReader(today: today, looksBack: looksBack)
        guard let reading = reader.reading(of: text) else { return nil }
        if let days = reader.days(of: reading) { return days }
        guard isLength else { return nil }
        return looksBack ? .first ... .first : .last ... .last
    }
}

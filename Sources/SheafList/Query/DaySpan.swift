/// Calendar days that a query asks for. The day on which the query runs determines the actual
/// dates.
///
/// | text | days |
/// |---|---|
/// | `today`, `fri`, `15dec`, `eom`, `2026-06-15`, `2026-06`, `2026` | that day, month or year |
/// | `2w` | the last two weeks, today included |
/// | `>3d`, `<3d` | more than three days ago; less than three days ago |
/// | `<2026-06`, `>2026-06` | before it, after it |
/// | `2026-05..2026-06-15`, `2w..`, `..yesterday` | all days from one end to the other |
/// | `mon..fri` | the last such range of weekdays |
/// | `20dec..5jan`, `10..20` | the last such range of dates that has begun by today |
/// | `1nov..2026-01` | from the last 1 November before the end, to avoid a backward range |
///
/// `<=` and `>=` include the days that are written after them. ``DayReader`` reads single days.
///
/// Days that do not look back have the same syntax, but lengths, weekdays and dates without a year
/// look forward:
///
/// | text | days |
/// |---|---|
/// | `2w` | the next two weeks, from today on |
/// | `>3d`, `<3d` | after the day in three days; before it, including all past days |
/// | `today..2w` | from today to the day in two weeks |
/// | `mon..fri` | the next such range of weekdays, after today |
/// | `20dec..5jan`, `10..20` | the next such range of dates that has not ended before today |
/// | `15dec..2027` | from the next such date, as for `15dec` alone |
package struct DaySpan: Hashable, Sendable {
    /// The first and the last days; `nil` if the span is open at that end.
    private var first: Days?
    private var last: Days?
    /// True if lengths count back from today, for ages; false if they count from today on.
    private let looksBack: Bool
    /// True if the text contains `..`.
    private let isRange: Bool

    /// Returns true if `text` names a day that the calendar does not have, such as 29 February
    /// 2027.
    static func hasNoSuchDay(_ text: String) -> Bool {
        text.drop { "<>=".contains($0) }.split(separator: "..").contains {
            DayReader(today: .epoch).reading(of: String($0))?.isNoDay ?? false
        }
    }

    /// Parses `text`; returns `nil` if it names no days.
    package init?(_ text: String, looksBack: Bool = true) {
        self.looksBack = looksBack
        // A day may end with a dot, as in `1.11...30.11`.
        let three = text.firstRange(of: "...").map {
            text.index(after: $0.lowerBound)..<$0.upperBound
        }
        if let dots = three ?? text.firstRange(of: "..") {
            isRange = true
            let ends = (text[..<dots.lowerBound], text[dots.upperBound...])
            guard !ends.0.isEmpty || !ends.1.isEmpty else { return nil }
            first = Days(ends.0, looksBack: looksBack)
            last = Days(ends.1, looksBack: looksBack)
            guard (first == nil) == ends.0.isEmpty, (last == nil) == ends.1.isEmpty else {
                return nil
            }
            return
        }
        isRange = false
        let comparison = text.prefix { "<>=".contains($0) }
        guard var days = Days(text[comparison.endIndex...], looksBack: looksBack) else {
            return nil
        }
        days.isIncluded = comparison.count != 1
        // A longer age is an earlier day.
        let isEarlier = comparison.first == (days.isLength && looksBack ? ">" : "<")
        switch comparison {
        case "" where days.isLength && looksBack: first = days
        case "" where days.isLength: (first, last) = (Days("today", looksBack: false), days)
        case "": (first, last) = (days, days)
        case "<", "<=", ">", ">=": if isEarlier { last = days } else { first = days }
        default: return nil
        }
    }

    /// Returns true if the span is a range that ends before it begins, such as `today..2020`.
    func isBackwards(today: CalendarDay) -> Bool { isRange && days(today: today) == nil }

    /// Returns the times on the days of the span, or `nil` if it has no days. `calendar` defines
    /// where the user's days begin, and `now` defines today.
    func times(now: Timestamp, in calendar: LocalCalendar) -> TimeSpan? {
        guard let days = days(today: calendar.day(now)) else { return nil }
        // A calendar assigns times outside its range to its first and its last day, so these have
        // no beginning and no end.
        func times(_ start: (CalendarDay) -> Timestamp) -> ClosedRange<Timestamp>? {
            let (day, end) = (days.lowerBound, days.upperBound.adding(days: 1))
            let first = day == .first ? .min : start(day).milliseconds
            let last = end.map { start($0).milliseconds - 1 } ?? .max
            guard first <= last else { return nil }
            return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
        }
        return TimeSpan(days: times(Timestamp.init), moments: times(calendar.start))
    }

    /// Returns the days of the span, or `nil` if it has none.
    func days(today: CalendarDay) -> ClosedRange<CalendarDay>? {
        var (starts, ends) = (first?.range(today: today), last?.range(today: today))
        if isRange, let first, let last, first.isWeekday, last.isWeekday {
            // The nearest complete range of these weekdays.
            if looksBack {
                starts = ends?.upperBound.adding(days: 1).flatMap { first.range(today: $0) }
            } else {
                ends = starts?.lowerBound.adding(days: -1).flatMap { last.range(today: $0) }
            }
        } else if isRange, let first, let last, let start = starts?.lowerBound,
            let end = ends?.upperBound
        {
            // Each end has the meaning that it has in a query of its own, with two exceptions: a
            // range that would run backwards, and a range of more than a year between two dates
            // without a year.
            let isBackwards = start > end
            switch (first.isNearest, last.isNearest) {
            case (true, true) where isBackwards || end.days(since: start) > 366:
                (starts, ends) = nearest(from: first, to: last, today: today)
            case (true, false) where isBackwards: starts = first.range(today: end, looksBack: true)
            case (false, true) where isBackwards: ends = last.range(today: start, looksBack: false)
            default: break
            }
        }
        var (start, end): (CalendarDay?, CalendarDay?) = (.first, .last)
        if let first {
            start = first.isIncluded ? starts?.lowerBound : starts?.upperBound.adding(days: 1)
        }
        if let last {
            end = last.isIncluded ? ends?.upperBound : ends?.lowerBound.adding(days: -1)
        }
        guard let start, let end else { return nil }
        if start <= end { return start...end }
        // On a weekend, `0b` means the Friday before.
        return isRange ? nil : end...end
    }

    /// Returns the ends of the nearest range between two dates without a year: the latest one that
    /// has begun if the span looks back, or the first one that has not ended if it looks forward.
    /// Neither date recurs within the range, so `29feb..1mar` always has two days.
    private func nearest(
        from first: Days, to last: Days, today: CalendarDay
    ) -> (ClosedRange<CalendarDay>?, ClosedRange<CalendarDay>?) {
        let (near, far) = looksBack ? (first, last) : (last, first)
        var day: CalendarDay? = today
        while let start = day, let end = near.range(today: start),
            let other = far.range(today: end.lowerBound, looksBack: !looksBack)
        {
            if near.range(today: other.lowerBound) == end {
                return looksBack ? (end, other) : (other, end)
            }
            day = end.lowerBound.adding(days: looksBack ? -1 : 1)
        }
        return (nil, nil)
    }
}

/// The times on a range of days, in a time zone.
struct TimeSpan: Hashable, Sendable {
    /// The times that are days without a time of day, which are equal in every time zone.
    var days: ClosedRange<Timestamp>?
    /// All other times; `nil` if the time zone skips the days.
    var moments: ClosedRange<Timestamp>?

    /// Returns true if `time` is on one of the days. An unknown time is on none.
    func contains(_ time: Timestamp) -> Bool {
        time != .unknown && (time.isDay ? days : moments)?.contains(time) ?? false
    }
}

/// One end of a span: a text that ``DayReader`` interprets again on each day.
private struct Days: Hashable, Sendable {
    /// True if the days themselves belong to the span.
    var isIncluded = true
    let isLength: Bool
    let isWeekday: Bool
    /// True if the text is a day of the month (`15`) or a date without a year (`15dec`).
    let isNearest: Bool
    private let text: String
    private let looksBack: Bool

    init?(_ text: Substring, looksBack: Bool) {
        self.text = String(text)
        self.looksBack = looksBack
        // Whether the text names days does not depend on the day on which it is read.
        guard let reading = DayReader(today: .epoch, looksBack: looksBack).reading(of: self.text),
            !reading.isNoDay
        else { return nil }
        isLength = if case .length = reading { true } else { false }
        isWeekday = if case .weekday = reading { true } else { false }
        isNearest = if case .nearest = reading { true } else { false }
    }

    /// Returns the days of this end, or `nil` if the calendar has none. A length that would leave
    /// the calendar ends at its first or last day. `looksBack` selects the latest such day instead
    /// of the next one; the default is the direction of the query.
    func range(today: CalendarDay, looksBack: Bool? = nil) -> ClosedRange<CalendarDay>? {
        let looksBack = looksBack ?? self.looksBack
        let reader = DayReader(today: today, looksBack: looksBack)
        guard let reading = reader.reading(of: text) else { return nil }
        if let days = reader.days(of: reading) { return days }
        guard isLength else { return nil }
        return looksBack ? .first ... .first : .last ... .last
    }
}

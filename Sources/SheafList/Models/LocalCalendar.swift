import Glibc

/// The user's calendar, which converts between times and calendar days in one time zone.
///
/// No other code converts a stored time to a day. A day without a time
/// (``Timestamp/isDay``) keeps its day in every time zone, and a moment has its local day.
package struct LocalCalendar: Sendable {
    /// A function that returns the offset of local time from UTC, in seconds. Its argument is a
    /// time, in seconds since 1970.
    private let offset: @Sendable (Int64) -> Int64

    /// Creates a calendar for one time zone.
    ///
    /// - Parameter offset: returns the offset of local time from UTC, in seconds. Its argument is a
    ///   time, in seconds since 1970.
    package init(offset: @escaping @Sendable (Int64) -> Int64) {
        self.offset = offset
    }

    /// The calendar in the time zone of the system, or of `TZ`.
    package static let system = LocalCalendar { seconds in
        var seconds = time_t(seconds)
        var parts = tm()
        // `localtime_r` fails only for years outside of its range.
        return localtime_r(&seconds, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }

    /// Returns the day of a time for the user. Times outside the calendar count as its first or its
    /// last day.
    package func day(_ time: Timestamp) -> CalendarDay {
        if let day = time.day { return day }
        return CalendarDay.epoch.advanced(days: localTime(time).days)
    }

    /// Returns the local time of day of a moment, in minutes since midnight.
    package func minute(_ time: Timestamp) -> Int {
        localTime(time).seconds / 60
    }

    /// Returns the moment to compare with other times: for a day without a time, its first moment.
    package func moment(_ time: Timestamp) -> Timestamp { time.day.map(start) ?? time }

    /// Returns the first moment of a day. For a day that the time zone skips, returns the first
    /// moment of the next day.
    package func start(_ day: CalendarDay) -> Timestamp {
        let midnight = Timestamp(day).milliseconds / 1_000
        let near = midnight - offset(midnight)
        // A clock change is smaller than this, and at most one is this close to a midnight.
        let quarter = Int64(Self.dayLength / 4)
        let (early, late) = (near - quarter, near + quarter)
        let (before, after) = (offset(early), offset(late))
        if before == after { return Timestamp(milliseconds: (midnight - before) * 1_000) }
        // If the clock is put back, midnight may occur twice. The day begins with the first one.
        for offset in [max(before, after), min(before, after)]
        where self.offset(midnight - offset) == offset {
            return Timestamp(milliseconds: (midnight - offset) * 1_000)
        }
        // If the clock is put forward past midnight, the day begins with the change.
        var (earlier, first) = (early, late)
        while first - earlier > 1 {
            let middle = earlier + (first - earlier) / 2
            if middle + offset(middle) < midnight { earlier = middle } else { first = middle }
        }
        return Timestamp(milliseconds: first * 1_000)
    }

    /// Returns the milliseconds from midnight UTC to the first moment of a day.
    package func shift(of day: CalendarDay) -> Int64 {
        start(day).milliseconds - Timestamp(day).milliseconds
    }

    /// The seconds of a day without a clock change.
    private static let dayLength = 86_400

    /// Returns the reading of the local clock: days since the beginning of 1970 and seconds since
    /// midnight.
    private func localTime(_ time: Timestamp) -> (days: Int, seconds: Int) {
        let time = Int(time.milliseconds).flooredQuotientAndRemainder(dividingBy: 1_000).quotient
        let (days, seconds) = (time + Int(offset(Int64(time))))
            .flooredQuotientAndRemainder(dividingBy: Self.dayLength)
        return (days, seconds)
    }
}

import Glibc

/// The user's calendar: converts between times and calendar days in one time zone.
///
/// No other code converts a stored time to a day. A day without a time
/// (``Timestamp/isDay``) keeps its day in every time zone, and a moment has its local day.
public struct LocalCalendar: Sendable {
    /// How far the local clock is ahead of UTC at a point in time; both in seconds, the latter
    /// since 1970.
    private let offset: @Sendable (Int64) -> Int64

    /// A calendar for one time zone.
    ///
    /// - Parameter offset: the seconds that the local clock is ahead of UTC at a point in time,
    ///   which is in seconds since 1970.
    public init(offset: @escaping @Sendable (Int64) -> Int64) {
        self.offset = offset
    }

    /// The time zone of the system, or of `TZ`.
    public static let system = LocalCalendar { seconds in
        var seconds = time_t(seconds)
        var parts = tm()
        // It fails only for years that no calendar has.
        return localtime_r(&seconds, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }

    /// The day that a time means to the user. Times outside the calendar count as its first or its
    /// last day.
    public func day(_ time: Timestamp) -> CalendarDay {
        if let day = time.day { return day }
        return CalendarDay.epoch.advanced(days: localTime(time).days)
    }

    /// The local time of day of a moment, in minutes since midnight.
    public func minute(_ time: Timestamp) -> Int {
        localTime(time).seconds / 60
    }

    /// The moment from which a time counts when two times are compared: the first one of a day.
    public func moment(_ time: Timestamp) -> Timestamp { time.day.map(start) ?? time }

    /// The first moment of a day. A day that the time zone skips has none: it is then the first
    /// moment of the next day.
    public func start(_ day: CalendarDay) -> Timestamp {
        let midnight = Timestamp(day).milliseconds / 1_000
        let near = midnight - offset(midnight)
        // Clocks change by less than this, and at most once so close to a midnight.
        let quarter = Int64(Self.dayLength / 4)
        let (early, late) = (near - quarter, near + quarter)
        let (before, after) = (offset(early), offset(late))
        if before == after { return Timestamp(milliseconds: (midnight - before) * 1_000) }
        // Where the clock is put back, midnight may come twice; the day begins with the first.
        for offset in [max(before, after), min(before, after)]
        where self.offset(midnight - offset) == offset {
            return Timestamp(milliseconds: (midnight - offset) * 1_000)
        }
        // Where the clock is put forward past midnight, the day begins with the change.
        var (earlier, first) = (early, late)
        while first - earlier > 1 {
            let middle = earlier + (first - earlier) / 2
            if middle + offset(middle) < midnight { earlier = middle } else { first = middle }
        }
        return Timestamp(milliseconds: first * 1_000)
    }

    /// The milliseconds from midnight UTC to the first moment of a day.
    package func shift(of day: CalendarDay) -> Int64 {
        start(day).milliseconds - Timestamp(day).milliseconds
    }

    /// The seconds of a day without a change of the clock.
    private static let dayLength = 86_400

    /// The reading of the local clock, in days since it showed the beginning of 1970 and seconds
    /// since midnight.
    private func localTime(_ time: Timestamp) -> (days: Int, seconds: Int) {
        let time = Int(time.milliseconds).flooredQuotientAndRemainder(dividingBy: 1_000).quotient
        let (days, seconds) = (time + Int(offset(Int64(time))))
            .flooredQuotientAndRemainder(dividingBy: Self.dayLength)
        return (days, seconds)
    }
}

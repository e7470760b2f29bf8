import Glibc

/// Where the user's days begin: calendar days to points in time and back.
public struct LocalCalendar: Sendable {
    /// The first moment of a day.
    public var start: @Sendable (CalendarDay) -> Timestamp
    /// The day that a point in time is part of.
    public var day: @Sendable (Timestamp) -> CalendarDay
    /// What the clock on the wall shows then, in minutes since midnight.
    public var minute: @Sendable (Timestamp) -> Int

    /// Without `minute`, that of a place that never puts its clocks forward or back.
    public init(
        start: @escaping @Sendable (CalendarDay) -> Timestamp,
        day: @escaping @Sendable (Timestamp) -> CalendarDay,
        minute: (@Sendable (Timestamp) -> Int)? = nil
    ) {
        self.start = start
        self.day = day
        self.minute =
            minute ?? { time in
                let minutes = time.milliseconds(since: start(day(time))) / 60_000
                return max(0, min(Int(minutes), 24 * 60 - 1))
            }
    }

    /// The time zone of the system, or of `TZ`.
    public static let system = LocalCalendar(
        start: { day in
            var parts = tm()
            parts.tm_year = Int32(day.year - 1900)
            parts.tm_mon = Int32(day.month - 1)
            parts.tm_mday = Int32(day.day)
            // Where the clock is put forward at midnight, the day begins at the first hour after.
            parts.tm_isdst = -1
            return Timestamp(milliseconds: Int64(mktime(&parts)) * 1_000)
        },
        day: { time in
            var seconds = time_t(time.milliseconds.floored(by: 1_000))
            var parts = tm()
            guard localtime_r(&seconds, &parts) != nil else {
                return seconds < 0 ? .first : .last
            }
            let day = CalendarDay(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1,
                day: Int(parts.tm_mday))
            return day ?? (seconds < 0 ? .first : .last)
        },
        minute: { time in
            var seconds = time_t(time.milliseconds.floored(by: 1_000))
            var parts = tm()
            guard localtime_r(&seconds, &parts) != nil else { return 0 }
            return Int(parts.tm_hour) * 60 + Int(parts.tm_min)
        })
}

extension Int64 {
    /// The quotient, rounded towards the smaller number.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

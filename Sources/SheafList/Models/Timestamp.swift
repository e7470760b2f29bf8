import FoundationEssentials

/// A point in time, as whole milliseconds since 1970-01-01T00:00:00Z (leap seconds not counted).
///
/// A number rather than a `Date`, because it is stored, compared and fetched by the hundred
/// thousand.
///
/// Exactly midnight in UTC is a calendar day without a time, such as a date of a todo.txt: the same
/// day in every time zone. Every other value is a moment, which lies on a day of the user's time
/// zone. ``LocalCalendar/day`` tells the day of both.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    /// 1970: the default where a time is not known.
    public static let zero = Timestamp(milliseconds: 0)

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The milliseconds from `earlier` to here, or the nearest that 64 bits hold: a time that
    /// others wrote may be any number.
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, isTooLarge) = milliseconds.subtractingReportingOverflow(
            earlier.milliseconds)
        guard isTooLarge else { return difference }
        return earlier.milliseconds < 0 ? .max : .min
    }

    /// The next moment, or the same at the end of time.
    public var next: Timestamp {
        Timestamp(milliseconds: milliseconds == .max ? .max : milliseconds + 1).moment
    }

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }
}

/// Calendar days without a time.
extension Timestamp {
    /// The milliseconds of a day in UTC.
    private static let dayLength: Int64 = 86_400_000

    /// A day without a time.
    public init(_ day: CalendarDay) {
        self.init(milliseconds: Int64(day.days(since: .epoch)) * Self.dayLength)
    }

    /// True if it is a day without a time.
    public var isDay: Bool { milliseconds % Self.dayLength == 0 }

    /// The day of a day without a time, or `nil` if it is a moment. Days outside the calendar count
    /// as its first or its last day.
    public var day: CalendarDay? {
        isDay ? CalendarDay.epoch.advanced(days: Int(milliseconds / Self.dayLength)) : nil
    }

    /// The time as a moment: a millisecond later if it would be read as a day without a time.
    public var moment: Timestamp {
        isDay ? Timestamp(milliseconds: milliseconds + 1) : self
    }
}

extension Timestamp {
    /// The wall clock's time, as a moment: an item that is made or done at midnight UTC has a time.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))).moment
    }
}

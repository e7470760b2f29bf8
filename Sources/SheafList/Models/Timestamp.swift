import FoundationEssentials

/// A point in time, as whole milliseconds since 1970-01-01T00:00:00Z (leap seconds not counted).
///
/// A number rather than a `Date`, because hundreds of thousands are stored, compared and fetched.
///
/// Exactly midnight in UTC is a calendar day without a time, such as a date in todo.txt, and is the
/// same day in every time zone. Every other value is a moment, and its day depends on the user's
/// time zone. ``LocalCalendar/day(_:)`` returns the day of both.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    /// The beginning of 1970: the default for unknown times.
    package static let zero = Timestamp(milliseconds: 0)

    /// The moment after the beginning of the calendar. It stands for an unknown time where a value
    /// is needed, as in ``Item/doneAt``. No date of a file and no clock gives this time.
    package static let unknown = Timestamp(CalendarDay.first).next

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns the milliseconds from `earlier` to this time, or the nearest number that 64 bits
    /// hold, because a time from another program may be any number.
    package func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, isTooLarge) = milliseconds.subtractingReportingOverflow(
            earlier.milliseconds)
        guard isTooLarge else { return difference }
        return earlier.milliseconds < 0 ? .max : .min
    }

    /// The next moment, or this time if it is the last one.
    package var next: Timestamp {
        Timestamp(milliseconds: milliseconds == .max ? .max : milliseconds + 1).moment
    }

    package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }
}

/// Calendar days without a time.
extension Timestamp {
    /// The milliseconds in a day of UTC.
    private static let dayLength: Int64 = 86_400_000

    /// Creates a day without a time.
    package init(_ day: CalendarDay) {
        self.init(milliseconds: Int64(day.days(since: .epoch)) * Self.dayLength)
    }

    /// True if the value is a day without a time.
    package var isDay: Bool { milliseconds % Self.dayLength == 0 }

    /// The day if the value is a day without a time, or `nil` if it is a moment. Days outside the
    /// calendar count as its first or its last day.
    package var day: CalendarDay? {
        isDay ? CalendarDay.epoch.advanced(days: Int(milliseconds / Self.dayLength)) : nil
    }

    /// The time as a moment: one millisecond later if it would mean a day without a time.
    package var moment: Timestamp {
        isDay ? Timestamp(milliseconds: milliseconds + 1) : self
    }
}

extension Timestamp {
    /// The current time as a moment, so that an item created or done at midnight UTC keeps its
    /// time.
    package static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))).moment
    }
}

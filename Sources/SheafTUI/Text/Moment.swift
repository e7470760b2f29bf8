import SheafList

/// The time at which a frame is drawn. Views have no clock of their own.
package struct Moment: Sendable {
    /// The wall clock, for dates.
    package var wall: Timestamp
    /// The monotonic clock, for countdowns.
    package var monotonic: ContinuousClock.Instant
    /// The local calendar, for dates with times.
    package var calendar: LocalCalendar

    package init(
        wall: Timestamp, monotonic: ContinuousClock.Instant, calendar: LocalCalendar = .system
    ) {
        self.wall = wall
        self.monotonic = monotonic
        self.calendar = calendar
    }

    /// The current time.
    package static var now: Moment { Moment(wall: .now, monotonic: .now) }

    /// Returns the day of `time` by the local calendar.
    package func day(of time: Timestamp) -> CalendarDay { time.day ?? calendar.day(time) }

    /// Returns `time` by the local calendar, and its age: `2026-11-20 14:05, 2 days ago`. A day
    /// without a time is shown without one: `2026-11-20, 2 days ago`.
    package func full(_ time: Timestamp) -> String {
        if let day = time.day { return "\(day), \(day.distance(from: calendar.day(wall)))" }
        return "\(dayAndTime(time)), \(ago(time))"
    }

    /// Returns a time by the local calendar: `2026-11-20 14:05`.
    package func dayAndTime(_ time: Timestamp) -> String {
        let minute = calendar.minute(time)
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(calendar.day(time)) \(digits(minute / 60)):\(digits(minute % 60))"
    }

    /// Returns the age of `time` in words.
    private func ago(_ time: Timestamp) -> String {
        func words(_ count: Int64, _ unit: String) -> String {
            "\(count) \(unit)\(count == 1 ? "" : "s") ago"
        }
        let minutes = wall.milliseconds(since: time) / 60_000
        let days = minutes / (60 * 24)
        return switch minutes {
        case ..<1: "just now"
        case ..<60: words(minutes, "minute")
        case ..<(60 * 24): words(minutes / 60, "hour")
        default:
            switch days {
            case ..<14: words(days, "day")
            case ..<70: words(days / 7, "week")
            case ..<730: words(days / 30, "month")
            default: words(min(days / 365, 999), "year")
            }
        }
    }

    /// Returns the seconds until `instant`, at least 0: `0.2 s`, `4 s`.
    func countdown(to instant: ContinuousClock.Instant) -> String {
        let left = max(monotonic.duration(to: instant), .zero)
        let tenths =
            left.components.seconds * 10 + left.components.attoseconds / 100_000_000_000_000_000
        return tenths < 30 ? "\(tenths / 10).\(tenths % 10) s" : "\((tenths + 9) / 10) s"
    }
}

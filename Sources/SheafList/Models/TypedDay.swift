/// A day in the words that users type, relative to `today`.
///
/// | text | day |
/// |---|---|
/// | `today`, `tomorrow`, `yesterday` | that day |
/// | `fri`, `friday` | the next Friday after today |
/// | `next fri` | the Friday of next week |
/// | `next week`, `next month`, `next year` | its first day |
/// | `15`, `15th` | the next 15th, today included |
/// | `15dec`, `dec 15`, `15 december 2027`, `15.12.` | that day, of this year or the next one |
/// | `2026-12-01` | that day |
/// | `2026-12`, `2026` | the first day of that month or year |
/// | `3d`, `2w`, `1m`, `1y`, `in 3 days`, `a week` | that long after today |
/// | `3b` | that many workdays (Monday to Friday) after today |
/// | `-1w`, `2 days ago` | that long before today |
/// | `eow`, `eom`, `eoq`, `eoy` | the last day of the week, month, quarter, year |
/// | `weekend` | the Saturday of this week |
/// | `som`, `soy` | the first day of the next month, year |
/// | `none` | no day |
package struct TypedDay: Hashable, Sendable {
    /// The day, or nil for `none`.
    package let day: CalendarDay?

    package init(_ day: CalendarDay?) { self.day = day }

    /// Parses `text`, ignoring case.
    ///
    /// - Throws: ``TypedError`` if it is not a day.
    package init(_ text: String, today: CalendarDay) throws(TypedError) {
        guard text.typedWords != ["none"] else {
            day = nil
            return
        }
        let reader = DayReader(today: today)
        guard let reading = reader.reading(of: text) else {
            throw TypedError(
                "expected a date such as today, fri, 15dec, 2026-12-01, 3d, eom, or none")
        }
        guard let days = reader.days(of: reading) else { throw TypedError("there is no such date") }
        day = days.lowerBound
    }

    /// Returns the day in words: `Fri 27 Nov, in 5 days`.
    package func words(today: CalendarDay) -> String {
        day.map { "\($0.shortName(today: today)), \($0.distance(from: today))" } ?? "no date"
    }
}

extension CalendarDay {
    /// Returns the weekday, the day and the month, and the year unless it is that of `today`:
    /// `Fri 27 Nov`.
    package func shortName(today: CalendarDay) -> String {
        let name = "\(weekday.shortName) \(day) \(monthName)"
        return year == today.year ? name : "\(name) \(year)"
    }

    /// The first three letters of its month: `Nov`.
    var monthName: String { Self.monthNames[month - 1].prefix(3).capitalized }

    /// The full name of the month: `November`.
    package var fullMonthName: String { Self.monthNames[month - 1].capitalized }

    /// Returns the distance from `today`: `in 5 days`, `today`, `3 days ago`.
    package func distance(from today: CalendarDay) -> String {
        switch days(since: today) {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case let days where days < 0: "\(-days) days ago"
        case let days: "in \(days) days"
        }
    }

    static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]
}

extension CalendarDay.Weekday {
    /// The first three letters of the name: `Fri`.
    package var shortName: String { "\(self)".prefix(3).capitalized }

    /// Creates the weekday whose name begins with `word`, which has at least three letters: `fri`,
    /// `frid`, `friday`.
    init?(typed word: String) {
        guard word.count > 2, let day = Self.allCases.first(where: { "\($0)".hasPrefix(word) })
        else { return nil }
        self = day
    }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

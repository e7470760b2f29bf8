/// A day of the Gregorian calendar, without a time zone: `2026-06-15`.
///
/// An optional value also takes four bytes. This matters because each item has two of them, and a
/// million items may be in memory.
package struct CalendarDay: Hashable, Comparable, Sendable, LosslessStringConvertible {
    private let shortYear: Int16
    private let shortMonth: Month
    private let shortDay: UInt8

    /// An enumeration, so that `Optional` can use the unused raw values for nil.
    private enum Month: UInt8 {
        case january = 1
        case february, march, april, may, june
        case july, august, september, october, november, december
    }

    /// The year, from 1 to 9999.
    package var year: Int { Int(shortYear) }
    package var month: Int { Int(shortMonth.rawValue) }
    package var day: Int { Int(shortDay) }

    /// Creates a day, or returns nil if the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        self.init(unchecked: (year, month, day))
    }

    /// Parses a day in ISO 8601 format: `2026-06-15`.
    package init?(_ text: String) {
        // Parses bytes, because loading a list parses the days of all items.
        var parts = (year: 0, month: 0, day: 0)
        var place = 0
        for byte in text.utf8 {
            switch place {
            case 4, 7:
                guard byte == UInt8(ascii: "-") else { return nil }
            case 0..<10:
                guard (0x30...0x39).contains(byte) else { return nil }
                let digit = Int(byte) - 0x30
                switch place {
                case 0..<4: parts.year = parts.year * 10 + digit
                case 5..<7: parts.month = parts.month * 10 + digit
                default: parts.day = parts.day * 10 + digit
                }
            default: return nil
            }
            place += 1
        }
        guard place == 10 else { return nil }
        self.init(year: parts.year, month: parts.month, day: parts.day)
    }

    /// The day in ISO 8601 format.
    package var description: String {
        func padded(_ number: Int, to width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    /// Returns the number of days in a month of a year.
    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool {
        lhs.sortNumber < rhs.sortNumber
    }

    /// A number that is greater for a later day.
    var sortNumber: Int { (year << 4 | month) << 5 | day }

    package static let first = CalendarDay(unchecked: (1, 1, 1))
    package static let last = CalendarDay(unchecked: (9999, 12, 31))
    /// 1 January 1970, day 0 of a ``Timestamp``.
    static let epoch = CalendarDay(unchecked: (1970, 1, 1))

    private init(unchecked parts: (year: Int, month: Int, day: Int)) {
        shortYear = Int16(parts.year)
        shortMonth = Month(rawValue: UInt8(parts.month)) ?? .january
        shortDay = UInt8(parts.day)
    }
}

/// Arithmetic with days.
extension CalendarDay {
    /// Returns the day `days` later, or nil if it is outside the calendar.
    package func adding(days: Int) -> CalendarDay? {
        let (number, isTooLarge) = number.addingReportingOverflow(days)
        let isThere = (Self.first.number...Self.last.number).contains(number)
        return isTooLarge || !isThere ? nil : CalendarDay(number: number)
    }

    /// Returns the same day of the month `months` later, or the last day of that month if it is
    /// shorter. Returns nil if the month is outside the calendar.
    package func adding(months: Int) -> CalendarDay? {
        let (index, isTooLarge) = (year * 12 + month - 1).addingReportingOverflow(months)
        if isTooLarge || !(12..<120_000).contains(index) { return nil }
        let (year, month) = (index / 12, index % 12 + 1)
        let day = min(day, Self.length(ofMonth: month, year: year))
        return CalendarDay(unchecked: (year, month, day))
    }

    /// Returns the day that is `workdays` workdays (Monday to Friday) later. Returns nil if the day
    /// is outside the calendar or `workdays` is negative.
    package func adding(workdays: Int) -> CalendarDay? {
        // From a weekend, counting starts at the Friday before.
        let pastFriday = weekday.rawValue - Weekday.friday.rawValue
        if pastFriday > 0 { return adding(days: -pastFriday)?.adding(workdays: workdays) }
        let (weeks, rest) = workdays.quotientAndRemainder(dividingBy: 5)
        let (days, isTooLarge) = weeks.multipliedReportingOverflow(by: 7)
        let passesWeekend = weekday.rawValue + rest > Weekday.friday.rawValue
        guard workdays >= 0, !isTooLarge else { return nil }
        return adding(days: days)?.adding(days: passesWeekend ? rest + 2 : rest)
    }

    /// Returns the day `days` later, or the nearest day of the calendar.
    package func advanced(days: Int) -> CalendarDay {
        adding(days: days) ?? (days < 0 ? .first : .last)
    }

    /// Returns the same day of the month `months` later, or the last day of that month if it is
    /// shorter. If the month is outside the calendar, returns the nearest day of the calendar.
    package func advanced(months: Int) -> CalendarDay {
        adding(months: months) ?? (months < 0 ? .first : .last)
    }

    /// Returns the number of days from `other` to this day.
    package func days(since other: CalendarDay) -> Int { number - other.number }

    /// The last day of its month.
    package var lastOfMonth: CalendarDay {
        CalendarDay(unchecked: (year, month, Self.length(ofMonth: month, year: year)))
    }

    /// The first day of its month.
    package var firstOfMonth: CalendarDay { CalendarDay(unchecked: (year, month, 1)) }

    /// A day of the week; weeks begin on Monday.
    package enum Weekday: Int, CaseIterable, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// Returns the first day after this one that is the given weekday, or nil if it is outside the
    /// calendar.
    package func next(_ day: Weekday) -> CalendarDay? {
        adding(days: (day.rawValue - weekday.rawValue + 6) % 7 + 1)
    }

    /// Returns the last day before this one that is the given weekday, or nil if it is outside the
    /// calendar.
    func last(_ day: Weekday) -> CalendarDay? {
        adding(days: -((weekday.rawValue - day.rawValue + 6) % 7 + 1))
    }

    // 0000-03-01 was a Wednesday.
    package var weekday: Weekday { Weekday(rawValue: (number + 2) % 7) ?? .monday }

    private var number: Int { Self.number(year: year, month: month, day: day) }

    private init(number: Int) {
        self.init(unchecked: Self.date(number: number))
    }
}

/// The proleptic Gregorian calendar, for all years that a ``Timestamp`` can have.
///
/// `Calendar` of FoundationEssentials takes fifty times as long per day (0.7 µs), which is
/// noticeable in a list of a million items. Its ISO 8601 format omits the sign that years after
/// 9999 require.
extension CalendarDay {
    /// Returns the number of days since 0000-03-01. The algorithm is `days_from_civil` from Howard
    /// Hinnant, "chrono-Compatible Low-Level Date Algorithms". O(1).
    package static func number(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = year.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    }

    /// Returns the date of a day number: the inverse of ``number(year:month:day:)``. The algorithm
    /// is `civil_from_days` from the same source. O(1).
    package static func date(number: Int) -> (year: Int, month: Int, day: Int) {
        let (era, day) = number.flooredQuotientAndRemainder(dividingBy: daysOfEra)
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }

    /// The day number of 1970-01-01.
    package static let epochNumber = epoch.number

    /// The number of days in 400 years, after which the calendar repeats.
    private static let daysOfEra = 146_097
}

extension Int {
    /// Returns the quotient, rounded down, and the nonnegative remainder.
    package func flooredQuotientAndRemainder(
        dividingBy divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

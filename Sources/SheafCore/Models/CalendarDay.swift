/// A day of the Gregorian calendar, without a time zone: `2026-06-15`.
public struct CalendarDay: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// From 1 to 9999.
    public let year: Int
    public let month: Int
    public let day: Int

    /// The day, or nil if the calendar has none such.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that `text` spells as year, month and day: `2026-06-15`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month and day, as ISO 8601 writes them.
    public var description: String {
        func padded(_ number: Int, to width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    /// The number of days in a month of a year.
    public static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day `days` later, or the nearest that there is.
    public func advanced(days: Int) -> CalendarDay {
        let (number, isTooLarge) = number.addingReportingOverflow(days)
        if isTooLarge { return days < 0 ? .first : .last }
        return CalendarDay(number: number)
    }

    /// The same day of the month `months` later, or the last of a month that is shorter, or the
    /// nearest day that there is.
    public func advanced(months: Int) -> CalendarDay {
        let (index, isTooLarge) = (year * 12 + month - 1).addingReportingOverflow(months)
        if isTooLarge || !(12..<120_000).contains(index) { return months < 0 ? .first : .last }
        let (year, month) = (index / 12, index % 12 + 1)
        let day = min(day, Self.length(ofMonth: month, year: year))
        return CalendarDay(unchecked: (year, month, day))
    }

    /// The last day of its month.
    var lastOfMonth: CalendarDay {
        CalendarDay(unchecked: (year, month, Self.length(ofMonth: month, year: year)))
    }

    public static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool {
        (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
    }

    static let first = CalendarDay(unchecked: (1, 1, 1))
    static let last = CalendarDay(unchecked: (9999, 12, 31))

    private init(unchecked parts: (year: Int, month: Int, day: Int)) {
        (year, month, day) = parts
    }

    /// The days since 0000-03-01, by Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
    /// `days_from_civil`.
    private var number: Int {
        let year = month <= 2 ? year - 1 : year
        let month = (month + 9) % 12
        return year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1
    }

    /// The inverse of ``number``, `civil_from_days` in the same place.
    private init(number: Int) {
        guard number > Self.first.number else {
            self = .first
            return
        }
        guard number < Self.last.number else {
            self = .last
            return
        }
        let era = number / 146_097
        let dayOfEra = number % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        self.init(
            unchecked: (
                yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
                dayOfYear - (153 * shifted + 2) / 5 + 1
            ))
    }
}

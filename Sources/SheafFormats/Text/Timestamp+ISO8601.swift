import SheafList

extension Timestamp {
    /// The time as ISO 8601 in UTC, to the millisecond: `2024-05-31T08:30:00.000Z`. Years outside
    /// of 0 to 9999 have a sign and at least six digits, so that every value can be spelled and
    /// read back.
    public var iso8601: String {
        var bytes: [UInt8] = []
        appendISO8601(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends ``iso8601``.
    func appendISO8601(to bytes: inout [UInt8]) {
        let (days, milliseconds) = Self.split(milliseconds, by: 86_400_000)
        let (year, month, day) = Self.date(daysSince1970: days)
        let isShort = (0...9999).contains(year)
        if !isShort { bytes.append(UInt8(ascii: year < 0 ? "-" : "+")) }
        let seconds = milliseconds / 1000
        Self.append(abs(year), digits: isShort ? 4 : 6, to: &bytes)
        Self.append("-", month, to: &bytes)
        Self.append("-", day, to: &bytes)
        Self.append("T", seconds / 3600, to: &bytes)
        Self.append(":", seconds / 60 % 60, to: &bytes)
        Self.append(":", seconds % 60, to: &bytes)
        Self.append(".", milliseconds % 1000, digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The time that `text` spells: a date, a time with or without seconds and a fraction (cut to
    /// milliseconds), and `Z` or an offset. A date alone is that day without a time: midnight in
    /// UTC. Nil for anything else, such as 30 February.
    public init?(iso8601 text: String) {
        var reader = DigitReader(text)
        let isNegative = reader.take("-")
        let isSigned = isNegative || reader.take("+")
        guard let years = reader.number(digits: isSigned ? 5...9 : 4...4), reader.take("-"),
            let month = reader.number(digits: 2...2), (1...12).contains(month), reader.take("-"),
            let day = reader.number(digits: 2...2),
            (1...Self.days(inMonth: month, of: isNegative ? -years : years)).contains(day)
        else { return nil }
        let date = Self.daysSince1970(year: isNegative ? -years : years, month: month, day: day)
        var clock: Int64 = 0
        if !reader.isAtEnd {
            guard reader.take("T") || reader.take("t") || reader.take(" "),
                let time = reader.clock(), let offset = reader.offset(), reader.isAtEnd
            else { return nil }
            clock = time - offset
        }
        // The last day that 64 bits hold begins before them, so neither step may be done alone near
        // the ends.
        let total = Int128(date) * 86_400_000 + Int128(clock)
        guard let milliseconds = Int64(exactly: total) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    // MARK: Calendar

    private static func split(_ value: Int64, by unit: Int64) -> (Int64, Int64) {
        let remainder = value % unit
        return remainder < 0
            ? (value / unit - 1, remainder + unit) : (value / unit, remainder)
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = split(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// The inverse of `daysSince1970`, Hinnant's `civil_from_days`.
    private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, day) = split(days + 719_468, by: 146_097)
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func append(
        _ mark: Unicode.Scalar, _ number: Int64, digits: Int = 2, to bytes: inout [UInt8]
    ) {
        bytes.append(UInt8(ascii: mark))
        append(number, digits: digits, to: &bytes)
    }

    /// Appends at least `digits` digits.
    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        if digits > 1 || number > 9 { append(number / 10, digits: digits - 1, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

/// Takes digits and marks off the front of a text.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(digits: ClosedRange<Int>) -> Int64? {
        let text = rest.prefix(digits.upperBound).prefix(while: \.isASCIIDigit)
        guard digits.contains(text.count) else { return nil }
        rest = rest.dropFirst(text.count)
        return Int64(String(Substring(text)))
    }

    /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`, in milliseconds.
    mutating func clock() -> Int64? {
        guard let hour = number(digits: 2...2), hour < 24, take(":"),
            let minute = number(digits: 2...2), minute < 60
        else { return nil }
        var milliseconds = (hour * 60 + minute) * 60_000
        guard take(":") else { return milliseconds }
        guard let second = number(digits: 2...2), second < 60 else { return nil }
        milliseconds += second * 1000
        guard take(".") || take(",") else { return milliseconds }
        let fraction = rest.prefix(while: \.isASCIIDigit)
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count)
        let digits = String(Substring(fraction.prefix(3)))
        let thousandths = digits + String(repeating: "0", count: 3 - digits.count)
        return Int64(thousandths).map { milliseconds + $0 }
    }

    /// `Z` or an offset such as `+02:00` or `+0200`, in milliseconds to subtract.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64 = take("-") ? -1 : 1
        guard sign == -1 || take("+"), let hour = number(digits: 2...2), hour < 24 else {
            return nil
        }
        _ = take(":")
        guard let minute = number(digits: 2...2), minute < 60 else { return nil }
        return sign * (hour * 60 + minute) * 60_000
    }
}

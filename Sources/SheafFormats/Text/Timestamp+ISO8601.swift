import SheafList

extension Timestamp {
    /// The time as ISO 8601 in UTC, to the millisecond: `2024-05-31T08:30:00.000Z`. Years outside
    /// the range 0 to 9999 have a sign and at least six digits, so that every value can be written
    /// and read.
    package var iso8601: String {
        var bytes: [UInt8] = []
        appendISO8601(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends ``iso8601``.
    func appendISO8601(to bytes: inout [UInt8]) {
        let (days, milliseconds) = Int(milliseconds)
            .flooredQuotientAndRemainder(dividingBy: Self.dayLength)
        let (year, month, day) = CalendarDay.date(number: days + CalendarDay.epochNumber)
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

    /// Parses a date, or a date and a time with or without seconds and a fraction (truncated to
    /// milliseconds), followed by `Z` or an offset. A date alone is that day without a time:
    /// midnight in UTC. Returns `nil` for invalid text, such as 30 February.
    package init?(iso8601 text: String) {
        var reader = DigitReader(text)
        let isNegative = reader.take("-")
        let isSigned = isNegative || reader.take("+")
        guard let digits = reader.number(digits: isSigned ? 5...9 : 4...4), reader.take("-"),
            case let year = isNegative ? -digits : digits,
            let month = reader.number(digits: 2...2), (1...12).contains(month), reader.take("-"),
            let day = reader.number(digits: 2...2),
            (1...CalendarDay.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        let days =
            CalendarDay.number(year: year, month: month, day: day) - CalendarDay.epochNumber
        var clock = 0
        if !reader.isAtEnd {
            guard reader.take("T") || reader.take("t") || reader.take(" "),
                let time = reader.clock(), let offset = reader.offset(), reader.isAtEnd
            else { return nil }
            clock = time - offset
        }
        // Near the limits of 64 bits, either operation alone could overflow although the sum does
        // not.
        let total = Int128(days) * Int128(Self.dayLength) + Int128(clock)
        guard let milliseconds = Int64(exactly: total) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The length of a day, in milliseconds.
    private static let dayLength = 86_400_000

    private static func append(
        _ mark: Unicode.Scalar, _ number: Int, digits: Int = 2, to bytes: inout [UInt8]
    ) {
        bytes.append(UInt8(ascii: mark))
        append(number, digits: digits, to: &bytes)
    }

    /// Appends at least `digits` digits.
    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        if digits > 1 || number > 9 { append(number / 10, digits: digits - 1, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

/// Consumes digits and marks at the beginning of a text.
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

    mutating func number(digits: ClosedRange<Int>) -> Int? {
        let text = rest.prefix(digits.upperBound).prefix(while: \.isASCIIDigit)
        guard digits.contains(text.count) else { return nil }
        rest = rest.dropFirst(text.count)
        return Int(String(Substring(text)))
    }

    /// Reads `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`, and returns milliseconds.
    mutating func clock() -> Int? {
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
        return Int(thousandths).map { milliseconds + $0 }
    }

    /// Reads `Z` or an offset such as `+02:00` or `+0200`, and returns the milliseconds to
    /// subtract.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("-") ? -1 : 1
        guard sign == -1 || take("+"), let hour = number(digits: 2...2), hour < 24 else {
            return nil
        }
        _ = take(":")
        guard let minute = number(digits: 2...2), minute < 60 else { return nil }
        return sign * (hour * 60 + minute) * 60_000
    }
}

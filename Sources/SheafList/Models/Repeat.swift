/// After how long an item comes again once it is done, spelled as `rec:` is in a todo.txt:
/// `2w` two weeks after it was done, `+2w` two weeks after it was due.
///
/// The units are days, business days from Monday to Friday, weeks, months and years: `d b w m y`.
///
/// A rule of months or years that counts from the due day keeps the day of the month: after 31
/// January come 28 February and 31 March. It remembers that day while a month is too short for it;
/// the spelling is then `+1m@31`.
public struct Repeat: Hashable, Sendable, LosslessStringConvertible {
    public enum Unit: UInt8, CaseIterable, Sendable {
        case days, workdays, weeks, months, years

        /// Its letter.
        var letter: Character {
            switch self {
            case .days: "d"
            case .workdays: "b"
            case .weeks: "w"
            case .months: "m"
            case .years: "y"
            }
        }
    }

    private let shortCount: UInt16
    public let unit: Unit
    /// The day of the month, or 0, and ``fromDue``. In one byte: an item's rule takes four.
    private var flags: UInt8
    private static let fromDue: UInt8 = 1 << 7
    private static let longDays = 29...31

    /// True if the rule counts from the due day, not from the day of completion.
    public var isFromDue: Bool { flags & Self.fromDue != 0 }

    /// The day of the month that it keeps while its date has another one, mostly because that month
    /// is too short.
    public var dayOfMonth: Int? {
        get { flags & ~Self.fromDue == 0 ? nil : Int(flags & ~Self.fromDue) }
        set { flags = flags & Self.fromDue | UInt8(newValue.map { keepsDay($0) ? $0 : 0 } ?? 0) }
    }

    /// Whether a month may be too short for a day that the rule keeps.
    private func keepsDay(_ day: Int) -> Bool {
        isFromDue && (unit == .months || unit == .years) && Self.longDays.contains(day)
    }

    /// More of any unit would lead from no day to another.
    public static let counts = 1...9_999

    /// How many of the unit.
    public var count: Int { Int(shortCount) }

    /// Nil if `count` is none of ``counts``.
    public init?(_ count: Int, _ unit: Unit, isFromDue: Bool = false) {
        guard Self.counts.contains(count) else { return nil }
        shortCount = UInt16(count)
        self.unit = unit
        flags = isFromDue ? Self.fromDue : 0
    }

    /// Creates the rule that `text` spells exactly as ``description`` does: `+1m`, and neither
    /// `+01m` nor `+1M`, so that text from a file is written back byte for byte.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let bytes = Array(parts[0])
        let isFromDue = bytes.first == UInt8(ascii: "+")
        let digits = bytes.dropFirst(isFromDue ? 1 : 0).dropLast()
        guard let last = bytes.last, (1...4).contains(digits.count),
            digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let unit = Unit.allCases.first(where: { $0.letter.asciiValue == last })
        else { return nil }
        self.init(
            digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }, unit, isFromDue: isFromDue)
        guard parts.count > 1 else { return }
        dayOfMonth = Self.longDays.first { parts[1].elementsEqual(String($0).utf8) }
        if parts.count > 2 || dayOfMonth == nil { return nil }
    }

    public var description: String {
        "\(isFromDue ? "+" : "")\(count)\(unit.letter)\(dayOfMonth.map { "@\($0)" } ?? "")"
    }

    /// The days of an item.
    public struct Days: Hashable, Sendable {
        public var due: CalendarDay?
        public var scheduled: CalendarDay?

        public init(due: CalendarDay?, scheduled: CalendarDay?) {
            self.due = due
            self.scheduled = scheduled
        }
    }

    /// Returns the days of the next occurrence after one with `days` that is completed `today`, or
    /// nil if they are beyond the calendar.
    ///
    /// The next due day is one step after the due day, or else the scheduled day, or else today. A
    /// rule that does not count from the due day always counts from today. The scheduled day keeps
    /// its distance to the due day; without a due day it moves alone.
    public func next(after days: Days, today: CalendarDay) -> Days? {
        let start = isFromDue ? days.due ?? days.scheduled ?? today : today
        guard let next = step(from: start) else { return nil }
        guard let scheduled = days.scheduled else { return Days(due: next, scheduled: nil) }
        guard let due = days.due else { return Days(due: nil, scheduled: next) }
        guard let moved = next.adding(days: scheduled.days(since: due)) else { return nil }
        return Days(due: next, scheduled: moved)
    }

    /// The day once later than `day`, or nil where the calendar ends before.
    private func step(from day: CalendarDay) -> CalendarDay? {
        switch unit {
        case .days: day.adding(days: count)
        case .workdays: day.adding(workdays: count)
        case .weeks: day.adding(days: 7 * count)
        case .months, .years:
            day.adding(months: unit == .months ? count : 12 * count).flatMap { next in
                let wanted = min(keptDay(from: day), next.lastOfMonth.day)
                return CalendarDay(year: next.year, month: next.month, day: wanted)
            }
        }
    }

    /// The day of the month that comes again after an item of `day`.
    private func keptDay(from day: CalendarDay) -> Int { dayOfMonth ?? day.day }

    /// The rule of the item that comes after one with `days` and has `next`.
    func following(_ days: Days, in next: Days) -> Repeat {
        var rule = self
        rule.dayOfMonth = nil
        guard let day = days.due ?? days.scheduled, let reached = next.due ?? next.scheduled,
            keptDay(from: day) > reached.day, reached == reached.lastOfMonth
        else { return rule }
        rule.dayOfMonth = keptDay(from: day)
        return rule
    }
}

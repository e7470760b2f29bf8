/// The recurrence rule of an item, spelled as `rec:` in todo.txt: `2w` recurs two weeks after the
/// item is done, `+2w` two weeks after its due day.
///
/// The units are days, business days from Monday to Friday, weeks, months and years: `d b w m y`.
///
/// A rule of months or years that counts from the due day keeps the day of the month: after 31
/// January come 28 February and 31 March. While a month is too short for that day, the rule stores
/// it, and the spelling is `+1m@31`.
package struct Repeat: Hashable, Sendable, LosslessStringConvertible {
    package enum Unit: UInt8, CaseIterable, Sendable {
        case days, workdays, weeks, months, years

        /// The letter of the unit.
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
    package let unit: Unit
    /// The kept day of the month, or 0, and the bit ``fromDue``. They share a byte, so that the
    /// rule takes four bytes.
    private var flags: UInt8
    private static let fromDue: UInt8 = 1 << 7
    private static let longDays = 29...31

    /// True if the rule counts from the due day, not from the day of completion.
    package var isFromDue: Bool { flags & Self.fromDue != 0 }

    /// The day of the month that the rule keeps while the item's date has another day, usually
    /// because the month is too short.
    package var dayOfMonth: Int? {
        get { flags & ~Self.fromDue == 0 ? nil : Int(flags & ~Self.fromDue) }
        set { flags = flags & Self.fromDue | UInt8(newValue.map { keepsDay($0) ? $0 : 0 } ?? 0) }
    }

    /// Returns true if the rule keeps this day, because some months are too short for it.
    private func keepsDay(_ day: Int) -> Bool {
        isFromDue && (unit == .months || unit == .years) && Self.longDays.contains(day)
    }

    /// The valid numbers of units, which have at most four digits.
    package static let counts = 1...9_999

    /// The number of units.
    package var count: Int { Int(shortCount) }

    /// Creates a rule, or returns nil if `count` is not in ``counts``.
    package init?(_ count: Int, _ unit: Unit, isFromDue: Bool = false) {
        guard Self.counts.contains(count) else { return nil }
        shortCount = UInt16(count)
        self.unit = unit
        flags = isFromDue ? Self.fromDue : 0
    }

    /// Creates a rule from exactly the spelling of ``description``: `+1m`, but not `+01m` or `+1M`,
    /// so that text from a file is written back byte for byte.
    package init?(_ text: String) {
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

    package var description: String {
        "\(isFromDue ? "+" : "")\(count)\(unit.letter)\(dayOfMonth.map { "@\($0)" } ?? "")"
    }

    /// The days of an item.
    package struct Days: Hashable, Sendable {
        package var due: CalendarDay?
        package var scheduled: CalendarDay?

        package init(due: CalendarDay?, scheduled: CalendarDay?) {
            self.due = due
            self.scheduled = scheduled
        }
    }

    /// Returns the days of the next occurrence of an item with `days` that is completed `today`, or
    /// nil if they are outside the calendar.
    ///
    /// The next due day is one step after the due day, or else after the scheduled day, or else
    /// after today. A rule that does not count from the due day always counts from today. The
    /// scheduled day keeps its distance to the due day. Without a due day, the scheduled day takes
    /// the step.
    package func next(after days: Days, today: CalendarDay) -> Days? {
        let start = isFromDue ? days.due ?? days.scheduled ?? today : today
        guard let next = step(from: start) else { return nil }
        guard let scheduled = days.scheduled else { return Days(due: next, scheduled: nil) }
        guard let due = days.due else { return Days(due: nil, scheduled: next) }
        guard let moved = next.adding(days: scheduled.days(since: due)) else { return nil }
        return Days(due: next, scheduled: moved)
    }

    /// Returns the day one step after `day`, or nil if it is outside the calendar.
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

    /// Returns the day of the month that the rule keeps if the item's date is `day`.
    private func keptDay(from day: CalendarDay) -> Int { dayOfMonth ?? day.day }

    /// Returns the rule of the next occurrence of an item with `days`. The next occurrence has the
    /// days `next`.
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

import SheafList
import SheafTestSupport
import Testing

@Suite("Calendar days") struct CalendarDayTests {
    @Test("one takes four bytes, and so does none; an item has not outgrown its place in memory")
    func size() {
        #expect(MemoryLayout<CalendarDay?>.size == 4)
        #expect(MemoryLayout<Repeat?>.size == 4)
        #expect(MemoryLayout<Priority?>.size == 1)
        // A million of them, each in a box of 16 bytes, and their order are in memory at once.
        #expect(MemoryLayout<Item>.size <= 96)
    }

    /// The calendar repeats every 400 years. `make torture` goes through all of it.
    @Test("every day of 400 years is spelled, read, counted and named in turn")
    func days() throws {
        var day = try #require(CalendarDay("1799-12-31"))
        let last = Torture.isOn ? .last : try #require(CalendarDay("2200-01-01"))
        if Torture.isOn { day = .first }
        var count = day.days(since: .first)
        while day != last {
            let next = try #require(day.adding(days: 1))
            let isRight =
                day < next && next.adding(days: -1) == day && next.days(since: .first) == count + 1
                && (day.weekday.rawValue + 1) % 7 == next.weekday.rawValue
                && (next.day != 1 || CalendarDay(next.description) == next)
            if !isRight { Issue.record("\(day) and \(next)") }
            day = next
            count += 1
        }
    }

    @Test("every month from the first to the last follows the one before")
    func months() throws {
        var day = CalendarDay.first
        var months = 1
        while let next = day.adding(months: 1) {
            let length = next.days(since: day)
            let isRight =
                next.day == 1 && (28...31).contains(length) && day.adding(days: length) == next
                && CalendarDay(next.description) == next
            if !isRight { Issue.record("\(day) and \(next)") }
            day = next
            months += 1
        }
        #expect(months == 9_999 * 12)
        #expect(CalendarDay.last.days(since: .first) == 3_652_058)
        #expect(CalendarDay("2026-11-22")?.weekday == .sunday)
        #expect(CalendarDay.first.weekday == .monday)
    }

    @Test(
        "there is no day but those of the calendar, in one spelling",
        arguments: [
            "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
            "0000-12-31", "2026-1-1", "26-01-01", "10000-01-01", "2026-01-01 ", " 2026-01-01",
            "2026-01-1", "2026/01/01", "2026-01-011", "-026-01-01", "２０２６-01-01", "", "2026",
        ])
    func refuses(text: String) { #expect(CalendarDay(text) == nil) }

    @Test("nothing leads out of the calendar")
    func ends() throws {
        #expect(CalendarDay.last.adding(days: 1) == nil)
        #expect(CalendarDay.first.adding(days: -1) == nil)
        #expect(CalendarDay.last.adding(months: 1) == nil)
        #expect(CalendarDay.first.adding(months: -1) == nil)
        #expect(CalendarDay.last.adding(workdays: 1) == nil)
        for number in [Int.max, .min, .max - 400_000, .min + 400_000] {
            #expect(CalendarDay.first.adding(days: number) == nil)
            #expect(CalendarDay.last.adding(months: number) == nil)
            #expect(CalendarDay.last.adding(workdays: number) == nil)
        }
        #expect(CalendarDay.last.advanced(days: .max) == .last)
        #expect(CalendarDay.last.advanced(months: .min) == .first)
    }

    @Test("workdays are those from Monday to Friday, one by one")
    func workdays() throws {
        for start in 0..<14 {
            let day = try #require(CalendarDay("2026-11-16")).advanced(days: start)
            var other = day
            for count in 1...40 {
                repeat { other = other.advanced(days: 1) } while other.weekday.rawValue > 4
                #expect(day.adding(workdays: count) == other, "\(count) after \(day)")
            }
        }
    }
}

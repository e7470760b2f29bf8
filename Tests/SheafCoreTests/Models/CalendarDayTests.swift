import SheafCore
import Testing

@Suite("Calendar days") struct CalendarDayTests {
    @Test("one takes four bytes, and so does none; an item has not outgrown its place in memory")
    func size() {
        #expect(MemoryLayout<CalendarDay?>.size == 4)
        #expect(MemoryLayout<Repeat?>.size == 4)
        #expect(MemoryLayout<Priority?>.size == 1)
        // With the 16 bytes of its box, 88 fill what the C library gives for 73 too.
        #expect(MemoryLayout<Item>.size <= 88)
    }

    @Test("every day from the first to the last is spelled, read, counted and named in turn")
    func allDays() throws {
        var day = CalendarDay.first
        var count = 0
        var names = 0
        while day != .last {
            let next = try #require(day.adding(days: 1))
            let isRight =
                day < next && next.adding(days: -1) == day && next.days(since: .first) == count + 1
                && (day.weekday.rawValue + 1) % 7 == next.weekday.rawValue
            if !isRight { Issue.record("\(day) and \(next)") }
            if next.day == 1, CalendarDay(next.description) == next { names += 1 }
            day = next
            count += 1
        }
        #expect(count == 3_652_058)
        #expect(names == 9_999 * 12 - 1)
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

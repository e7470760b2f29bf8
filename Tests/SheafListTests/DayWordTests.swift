import SheafList
import SheafTestSupport
import Testing

/// How rows say a day.
@Suite("Days in words")
struct DayWordTests {
    @Test(
        "near days by their names, this year's by day and month, others by month and year",
        arguments: [
            ("2026-11-25", "today"), ("2026-11-26", "tomorrow"), ("2026-11-24", "yesterday"),
            ("2026-11-27", "Fri 27"), ("2026-12-01", "Tue 1"), ("2026-11-19", "Thu 19"),
            ("2026-12-02", "2 Dec"), ("2026-11-18", "18 Nov"), ("2026-01-01", "1 Jan"),
            ("2027-01-25", "25 Jan"), ("2027-01-26", "Jan 2027"), ("2025-12-31", "Dec 2025"),
            ("2027-12-08", "Dec 2027"), ("0001-01-01", "Jan 1"), ("9999-12-31", "Dec 9999"),
        ])
    func words(day: String, word: String) throws {
        let today = try #require(CalendarDay("2026-11-25"))
        #expect(try #require(CalendarDay(day)).word(today: today) == word)
    }

    @Test("the days of the year before stay near for two months")
    func january() throws {
        let today = try #require(CalendarDay("2026-01-10"))
        #expect(try #require(CalendarDay("2025-11-10")).word(today: today) == "10 Nov")
        #expect(try #require(CalendarDay("2025-11-09")).word(today: today) == "Nov 2025")
        #expect(CalendarDay.last.word(today: .last) == "today")
        #expect(CalendarDay.first.word(today: .first) == "today")
    }

    @Test("no word is longer than nine columns")
    func columns() throws {
        let today = try #require(CalendarDay("2026-02-28"))
        for days in -900...900 {
            #expect(today.advanced(days: days).word(today: today).count <= 9)
        }
    }
}

/// The headings of rows that are sorted by a date.
@Suite("Headings of days")
struct DayHeadingTests {
    @Test(
        "what is due is late or ahead, what was done is behind; weeks begin on Monday",
        arguments: [
            ("2026-11-24", "Late", "Yesterday"), ("2020-01-01", "Late", "2020"),
            ("2026-11-25", "Today", "Today"), ("2026-11-26", "Tomorrow", "Tomorrow"),
            ("2026-11-27", "This week", "This week"), ("2026-11-29", "This week", "This week"),
            ("2026-11-30", "November", "November"), ("2026-12-31", "December", "December"),
            ("2027-01-01", "2027", "2027"), ("2026-11-23", "Late", "This week"),
            ("2026-11-22", "Late", "November"), (nil, "No date", "Not done"),
        ])
    func titles(day: String?, due: String, done: String) throws {
        let today = try #require(CalendarDay("2026-11-25"))
        var item = Fixtures.items(["a"])[0]
        item.due = day.flatMap { CalendarDay($0) }
        func title(_ sort: ItemSort) -> String? {
            DayHeading(of: item, sortedBy: sort, today: today, calendar: .utc)?.title
        }
        #expect(title(.due) == due)
        item.doneAt = item.due.map { Timestamp($0) }
        #expect(title(.due) == (item.isDone ? "Done" : due))
        #expect(title(.done) == done)
        #expect(title(.name) == nil)
        item.doneAt = .unknown
        #expect(title(.done) == "Day unknown")
    }

    @Test("in the order of the days no heading comes twice", arguments: [true, false])
    func order(isDue: Bool) throws {
        var item = Fixtures.items(["a"])[0]
        for start in -8...8 {
            let today = try #require(CalendarDay("2026-01-01")).advanced(days: start)
            var headings: [DayHeading] = []
            for days in -800...800 {
                item.due = today.advanced(days: days)
                item.doneAt = isDue ? nil : item.due.map { Timestamp($0) }
                let heading = try #require(
                    DayHeading(
                        of: item, sortedBy: isDue ? .due : .done, today: today, calendar: .utc))
                if headings.last != heading { headings.append(heading) }
            }
            // A week and a month have days before and after today.
            let twice = headings.count - Set(headings).count
            #expect(twice <= (isDue ? 0 : 2), "\(headings)")
        }
    }
}

import SheafList
import SheafTestSupport
import Testing

@Suite("Repeats") struct RepeatTests {
    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    @Test(
        "a rule comes back as it is spelled",
        arguments: ["1d", "2w", "+1m", "+9999y", "5b", "+5b", "30d", "+1m@31", "+12m@29", "+1y@29"])
    func spelled(text: String) { #expect(Repeat(text)?.description == text) }

    @Test(
        "what is spelled otherwise is no rule",
        arguments: [
            "", "+", "w", "+w", "0d", "00d", "01d", "+01m", "1W", "-1d", "1", "1x", "10000d",
            "99999999999999999999d", "1 d", "++1d", "1dd", "٣d", "1.5d",
            "+1m@", "+1m@28", "+1m@32", "+1m@031", "+1m@31@31", "1m@31", "+1w@31", "@31",
        ])
    func refused(text: String) { #expect(Repeat(text) == nil) }

    @Test(
        "the next day is a step from the right one",
        arguments: [
            // Due, scheduled, rule, done: due, scheduled.
            ("2026-01-31", "-", "+1m", "2026-05-05", "2026-02-28", "-"),
            ("2026-02-28", "-", "+1m", "2026-02-28", "2026-03-28", "-"),
            ("2024-01-31", "-", "+1m", "2024-01-31", "2024-02-29", "-"),
            ("2024-02-29", "-", "+1y", "2024-02-29", "2025-02-28", "-"),
            ("2024-02-29", "-", "+4y", "2024-02-29", "2028-02-29", "-"),
            ("2026-01-31", "-", "1m", "2026-05-31", "2026-06-30", "-"),
            ("2026-01-01", "-", "2w", "2026-05-01", "2026-05-15", "-"),
            ("2026-01-01", "-", "+2w", "2026-05-01", "2026-01-15", "-"),
            ("2026-11-20", "-", "+1b", "2026-11-20", "2026-11-23", "-"),
            ("2026-11-20", "-", "3b", "2026-11-22", "2026-11-25", "-"),
            ("2026-03-10", "2026-03-07", "+1w", "2026-03-09", "2026-03-17", "2026-03-14"),
            ("2026-03-10", "2026-03-12", "1m", "2026-03-31", "2026-04-30", "2026-05-02"),
            ("-", "2026-03-07", "+1w", "2026-03-09", "-", "2026-03-14"),
            ("-", "2026-03-07", "1w", "2026-03-09", "-", "2026-03-16"),
            ("-", "-", "+3d", "2026-03-09", "2026-03-12", "-"),
            ("-", "-", "3d", "2026-03-09", "2026-03-12", "-"),
            ("9999-12-31", "-", "+1d", "2026-03-09", "none", "-"),
            ("9999-12-01", "9999-12-20", "+2w", "2026-03-09", "none", "-"),
            ("2026-03-09", "-", "9999y", "2026-03-09", "none", "-"),
            ("0001-01-05", "0001-01-01", "1d", "2026-03-09", "2026-03-10", "2026-03-06"),
        ])
    func next(
        due: String, scheduled: String, rule: String, today: String, nextDue: String,
        nextScheduled: String
    ) throws {
        let next = try #require(Repeat(rule)).next(
            after: .init(due: CalendarDay(due), scheduled: CalendarDay(scheduled)),
            today: try day(today))
        if nextDue == "none" { return #expect(next == nil) }
        #expect(next?.due == CalendarDay(nextDue))
        #expect(next?.scheduled == CalendarDay(nextScheduled))
    }

    @Test(
        "a rule of months or years keeps the day of the month that it began with",
        arguments: [
            ("2027-01-31", "+1m", "2027-02-28 2027-03-31 2027-04-30 2027-05-31"),
            ("2027-01-30", "+1m", "2027-02-28 2027-03-30 2027-04-30"),
            ("2027-01-29", "+1m", "2027-02-28 2027-03-29"),
            ("2027-12-31", "+2m", "2028-02-29 2028-04-30 2028-06-30 2028-08-31"),
            ("2027-01-28", "+1m", "2027-02-28 2027-03-28"),
            ("2028-02-29", "+1y", "2029-02-28 2030-02-28 2031-02-28 2032-02-29"),
            ("2028-02-29", "+1m", "2028-03-29 2028-04-29"),
            ("2027-02-28", "+1m@31", "2027-03-31 2027-04-30"),
            // A date may have been set beside another day.
            ("2027-02-27", "+1m@31", "2027-03-31"),
            ("2026-03-15", "+1m@31", "2026-04-30 2026-05-31"),
            ("2027-01-31", "+1m@30", "2027-02-28 2027-03-30 2027-04-30"),
        ])
    func keptDay(due: String, rule: String, expected: String) throws {
        for isDue in [true, false] {
            var item = Fixtures.item(1)
            if isDue { item.due = try day(due) } else { item.scheduled = try day(due) }
            item.repeat = Repeat(rule)
            for text in expected.split(separator: " ") {
                item = try #require(
                    item.next(today: try day("2026-11-25"), now: Fixtures.now, rank: item.rank))
                #expect(item.due ?? item.scheduled == CalendarDay(String(text)))
                let line = item.repeat?.description ?? ""
                #expect(Repeat(line) == item.repeat)
            }
        }
    }

    @Test("a rule that counts from the day that it was due may lead to one that is past")
    func past() throws {
        let rule = try #require(Repeat("+1m"))
        var days = Repeat.Days(due: try day("2020-01-31"), scheduled: nil)
        for expected in ["2020-02-29", "2020-03-29", "2020-04-29"] {
            days = try #require(rule.next(after: days, today: try day("2026-11-22")))
            #expect(days.due?.description == expected)
        }
    }

    @Test(
        "a rule is typed as people say it",
        arguments: [
            ("2w", "2w"), ("+2w", "+2w"), ("2W", "2w"), ("weekday", "+1b"), ("month", "+1m"),
            ("3m after done", "3m"), ("every 2 weeks", "+2w"), ("every month", "+1m"),
            ("daily", "+1d"), ("every 3 days when done", "3d"), ("every other week", "+2w"),
            ("week after done", "1w"), ("2 weeks", "2w"), ("+ 2 w", "+2w"), ("5b", "5b"),
            ("every weekday", "+1b"), ("yearly", "+1y"), (" 1mo ", "1m"),
        ])
    func typed(text: String, rule: String) throws {
        #expect(try Repeat.typed(text)?.description == rule)
    }

    @Test("none is no rule")
    func none() throws { #expect(try Repeat.typed(" None ") == nil) }

    @Test(
        "what is no rule is said to be none",
        arguments: [
            "", " ", "0d", "+", "after done", "every", "every mon", "10000d", "w", "2", "b",
            "99999999999999999999999w", "+2w after done", "2w 3d", "-1d", "none done",
        ])
    func wrong(text: String) { #expect(throws: TypedError.self) { try Repeat.typed(text) } }

    @Test("a rule is told in words")
    func words() {
        #expect(Repeat("+1m")?.words == "every month")
        #expect(Repeat("+2w")?.words == "every 2 weeks")
        #expect(Repeat("1d")?.words == "1 day after done")
        #expect(Repeat("5b")?.words == "5 weekdays after done")
    }

    @Test("a priority is one letter, the first the most important")
    func priorities() throws {
        #expect(Priority.allCases.map(\.description).joined() == "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        #expect(Priority("A").map { a in Priority("B").map { a < $0 } ?? false } ?? false)
        for text in ["", "a", "AA", "1", "Ä", "@", "["] { #expect(Priority(text) == nil) }
        for text in ["b", " B ", "(b)"] { #expect(try Priority.typed(text) == .b) }
        #expect(try Priority.typed("none") == nil)
        for text in ["", "ab", "1", "ä", "()"] {
            #expect(throws: TypedError.self) { try Priority.typed(text) }
        }
    }
}

import SheafTestSupport
import Testing

@testable import SheafList

@Suite("Days as people type them") struct TypedDayTests {
    /// A Sunday.
    private static let today = "2026-11-22"

    private func typed(_ text: String, on today: String = today) throws -> TypedDay {
        try TypedDay(text, today: try #require(CalendarDay(today)))
    }

    @Test(
        "are understood",
        arguments: [
            ("today", "2026-11-22"), ("Tomorrow", "2026-11-23"), ("tom", "2026-11-23"),
            ("yesterday", "2026-11-21"), ("fri", "2026-11-27"), ("Friday", "2026-11-27"),
            ("sun", "2026-11-29"), ("mon", "2026-11-23"), ("thurs", "2026-11-26"),
            ("next mon", "2026-11-23"), ("next sun", "2026-11-29"), ("next week", "2026-11-23"),
            ("next month", "2026-12-01"), ("next year", "2027-01-01"),
            ("15", "2026-12-15"), ("22", "2026-11-22"), ("23rd", "2026-11-23"),
            ("31", "2026-12-31"), ("1st", "2026-12-01"),
            ("15dec", "2026-12-15"), ("15 dec", "2026-12-15"), ("dec 15", "2026-12-15"),
            ("December 15th, 2027", "2027-12-15"), ("15dec2027", "2027-12-15"),
            ("dec15", "2026-12-15"), ("3 mar", "2027-03-03"), ("22nov", "2026-11-22"),
            ("21nov", "2027-11-21"), ("29feb", "2028-02-29"), ("15.12.", "2026-12-15"),
            ("15.12", "2026-12-15"), ("1.2.2028", "2028-02-01"), ("15.12.26", "2026-12-15"),
            ("1 dec 26", "2026-12-01"), ("15th of", "-"),
            ("2026-12-01", "2026-12-01"), ("0001-01-01", "0001-01-01"),
            ("3d", "2026-11-25"), ("+3d", "2026-11-25"), ("2w", "2026-12-06"), ("1m", "2026-12-22"),
            ("3mo", "2027-02-22"), ("1y", "2027-11-22"), ("1b", "2026-11-23"),
            ("in 3 days", "2026-11-25"), ("in a week", "2026-11-29"), ("3 days", "2026-11-25"),
            ("in 2w", "2026-12-06"), ("2 weeks ago", "2026-11-08"), ("-1w", "2026-11-15"),
            ("3d ago", "2026-11-19"), ("0d", "2026-11-22"),
            ("eow", "2026-11-22"), ("weekend", "2026-11-22"), ("eom", "2026-11-30"),
            ("eoq", "2026-12-31"), ("eoy", "2026-12-31"), ("som", "2026-12-01"),
            ("soy", "2027-01-01"), (" fri ", "2026-11-27"),
            ("2027-02", "2027-02-01"), ("2028", "2028-01-01"),
        ])
    func understood(text: String, day: String) throws {
        guard day != "-" else {
            #expect(throws: TypedError.self) { try typed(text) }
            return
        }
        #expect(try typed(text).day?.description == day)
    }

    @Test(
        "are read by a query as they are in a prompt, but a length is all days up to it",
        arguments: [
            "tomorrow", "fri", "\"next mon\"", "15", "15dec", "\"December 15th, 2027\"", "15.12.",
            "2026-12-01", "+3d", "\"in a week\"", "-1w", "eow", "weekend", "eoq", "soy", "<=3d",
            "<=2w", "<=3b", "<=3mo",
        ])
    func inQueries(text: String) throws {
        let typed = text.drop { "<=\"".contains($0) }.filter { $0 != "\"" }
        let day = try #require(try self.typed(String(typed)).day)
        let now = LocalCalendar.utc.start(try #require(CalendarDay(Self.today)))
        let search = try ItemSearch(
            Query("due:\(text)"), tags: [], now: now, calendar: .utc)
        let found = [-1, 0, 1].map { number in
            var item = Fixtures.item(1)
            item.due = day.adding(days: number)
            return search.finds(item)
        }
        #expect(found == [text.hasPrefix("<"), true, false])
    }

    @Test("are counted across the ends of months and years")
    func ends() throws {
        #expect(try typed("1m", on: "2026-01-31").day?.description == "2026-02-28")
        #expect(try typed("1m", on: "2028-01-31").day?.description == "2028-02-29")
        #expect(try typed("31", on: "2026-02-10").day?.description == "2026-03-31")
        #expect(try typed("30", on: "2026-01-31").day?.description == "2026-03-30")
        #expect(try typed("next fri", on: "2026-11-23").day?.description == "2026-12-04")
        #expect(try typed("weekend", on: "2026-11-24").day?.description == "2026-11-28")
        #expect(try typed("eoq", on: "2026-02-10").day?.description == "2026-03-31")
        #expect(try typed("29feb", on: "2096-03-01").day?.description == "2104-02-29")
        for (text, today) in [
            ("tomorrow", "9999-12-31"), ("fri", "9999-12-31"), ("1b", "9999-12-31"),
            ("next week", "9999-12-31"), ("soy", "9999-12-31"), ("som", "9999-12-01"),
            ("weekend", "9999-12-31"), ("15jan", "9999-12-31"), ("29feb", "9999-01-01"),
            ("1", "9999-12-31"),
            ("yesterday", "0001-01-01"), ("-1w", "0001-01-01"), ("2 years ago", "0002-01-01"),
        ] {
            #expect(throws: TypedError.self) { try typed(text, on: today) }
        }
        #expect(try typed("eom", on: "9999-12-01").day == .last)
    }

    @Test(
        "are not guessed",
        arguments: [
            "", " ", "x", "someday", "d", "32", "0", "31sep", "30feb", "2026-13-01", "2026-02-30",
            "15/12", "12-15", "dec", "15 15", "fri mon", "next", "next day", "in", "ago", "1.13.",
            "99999999999999999999d", "99999999999999999999", "in 99999999999999999999 years",
            "99999999999999999999 dec", "1 dec 99999999999999999999", "-", "--1d", "+-1d",
            "none 3d",
            "1 dec 0", "1 dec 7", "3b ago", "15.12.26.1", "fr", "de 15", "١٥ dec",
        ])
    func refused(text: String) { #expect(throws: TypedError.self) { try typed(text) } }

    @Test(
        "that the calendar does not have are named as such",
        arguments: ["2027-02-29", "2026-13", "2026-00-01", "30feb", "31.4.2026"])
    func absent(text: String) {
        let error = #expect(throws: TypedError.self) { try typed(text) }
        #expect(error?.reason == "there is no such date")
    }

    @Test("none is no date")
    func none() throws {
        let today = try #require(CalendarDay(Self.today))
        #expect(try typed(" None ").day == nil)
        #expect(try typed("none").words(today: today) == "no date")
    }

    @Test(
        "are said back",
        arguments: [
            ("fri", "Fri 27 Nov, in 5 days"), ("today", "Sun 22 Nov, today"),
            ("tomorrow", "Mon 23 Nov, tomorrow"), ("yesterday", "Sat 21 Nov, yesterday"),
            ("3d ago", "Thu 19 Nov, 3 days ago"), ("1jan", "Fri 1 Jan 2027, in 40 days"),
        ])
    func saidBack(text: String, words: String) throws {
        let today = try #require(CalendarDay(Self.today))
        #expect(try typed(text).words(today: today) == words)
    }
}

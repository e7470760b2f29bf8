import SheafTestSupport
import Testing

@testable import SheafCore

@Suite struct DaySpanTests {
    /// Days of UTC; now is noon on 2026-06-15, a Monday.
    private static let day: Int64 = 86_400_000
    private static let today = Timestamp(milliseconds: 1_781_481_600_000)
    private static let noon = Timestamp(milliseconds: today.milliseconds + day / 2)

    /// Whether an item that was created `days` after midnight of today is found.
    private func finds(_ text: String, days: Double) throws -> Bool {
        let time = Timestamp(
            milliseconds: Self.today.milliseconds + Int64(days * Double(Self.day)))
        let item = Item(id: Fixtures.id(1), name: "", rank: .between(nil, nil), createdAt: time)
        let search = try ItemSearch(
            Query("created:\(text)"), words: .fuzzy, tags: [], now: Self.noon, calendar: .utc)
        var matcher = ItemMatcher(search)
        return matcher.includes(item)
    }

    @Test(
        "a span holds its days, from the first moment to the last",
        arguments: [
            ("today", 0.0, 0.999), ("yesterday", -1, -0.001),
            ("2026-06-15", 0, 0.999), ("2026-06", -14, 15.999), ("2026", -165, 199.999),
            ("3d", -3, 400), ("2w", -14, 400), ("1mo", -31, 400), ("1y", -365, 400),
            ("<3d", -2, 400), ("<=3d", -3, 400), (">3d", -9_000, -3.001), (">=3d", -9_000, -2.001),
            ("<2026-06", -9_000, -14.001), ("<=2026-06", -9_000, 15.999),
            (">2026-06", 16, 400), (">=2026-06", -14, 400), ("<today", -9_000, -0.001),
            (">yesterday", 0, 400),
            ("2026-05..2026-06-15", -45, 0.999), ("..yesterday", -9_000, -0.001),
            ("1w..", -7, 400), ("1w..yesterday", -7, -0.001),
            ("2024-02-29..2024-02-29", -837, -836.001),
        ])
    func holdsItsDays(text: String, first: Double, last: Double) throws {
        #expect(try finds(text, days: first))
        #expect(try finds(text, days: last))
        if first > -9_000 { #expect(try !finds(text, days: first - 0.001)) }
        if last < 400 { #expect(try !finds(text, days: last + 0.001)) }
    }

    /// Whether an item that is due `days` after today is found, or one without a day for nil.
    private func finds(due text: String, days: Int?) throws -> Bool {
        var item = Item(
            id: Fixtures.id(1), name: "", rank: .between(nil, nil), createdAt: Self.today)
        item.due = days.flatMap { LocalCalendar.utc.day(Self.noon).adding(days: $0) }
        let search = try ItemSearch(
            Query("due:\(text)"), words: .fuzzy, tags: [], now: Self.noon, calendar: .utc)
        var matcher = ItemMatcher(search)
        return matcher.includes(item)
    }

    @Test(
        "lengths count forward to the day that something is due, and what has none is not found",
        arguments: [
            ("today", 0, 0), ("tomorrow", 1, 1), ("yesterday", -1, -1), ("fri", 4, 4),
            ("mon", 7, 7), ("2026-06-15", 0, 0), ("2026-06", -14, 15), ("2026", -165, 199),
            ("3d", 0, 3), ("2w", 0, 14), ("1mo", 0, 30), ("0d", 0, 0),
            ("<3d", -9_000, 2), ("<=3d", -9_000, 3), (">3d", 4, 9_000), (">=3d", 3, 9_000),
            ("<today", -9_000, -1), (">today", 1, 9_000), ("<2026-06", -9_000, -15),
            ("today..2w", 0, 14), ("1w..", 7, 9_000), ("..yesterday", -9_000, -1),
            ("fri..1w", 4, 7), (">9999999999999y", 9_001, 9_000),
            ("<9999999999999y", -9_000, 9_000),
        ])
    func ahead(text: String, first: Int, last: Int) throws {
        for day in [-9_000, first - 1, first, last, last + 1, 9_000] where abs(day) <= 9_000 {
            let isAmong = first <= day && day <= last
            #expect(try finds(due: text, days: day) == isAmong, "\(day)")
        }
        #expect(try !finds(due: text, days: nil))
    }

    @Test(
        "a range is backwards where it holds no day, whatever day it is",
        arguments: [
            ("2026-06-15..2026-05", true), ("2026..2025-12-31", true),
            ("2026-06..2026-06-15", false),
            ("2026-06-15..2026-06", false), ("2026..2026-01-01", false),
            ("today..yesterday", true), ("yesterday..today", false), ("today..today", false),
            ("1w..3d", false), ("3d..1w", true), ("7d..1w", false), ("today..1w", true),
            ("1y..2y", true), ("2y..1y", false), ("1y..14mo", true), ("12mo..1y", false),
            ("1mo..6w", true), ("1mo..30d", false), ("30d..1mo", false), ("5w..1mo", false),
            ("4w..1mo", false), ("27d..1mo", true), ("4000y..5000y", false),
            // Whether these hold a day depends on the day.
            ("2026-06..today", false), ("today..2020", false), ("1w..2020", false),
            ("2026..", false), ("..2026", false), ("2026-06", false), (">3d", false),
        ])
    func backwards(text: String, isBackwards: Bool) throws {
        #expect(try #require(DaySpan(text)).isBackwards == isBackwards)
    }

    @Test(
        "of days to come, too, as far as no weekday says when",
        arguments: [
            ("1w..3d", true), ("3d..1w", false), ("2w..today", true), ("today..2w", false),
            ("tomorrow..today", true), ("1d..tomorrow", false), ("tomorrow..1d", false),
            ("fri..mon", false), ("fri..1d", false), ("1mo..27d", true), ("1mo..31d", false),
            ("9000y..8500y", false),
        ])
    func backwardsAhead(text: String, isBackwards: Bool) throws {
        #expect(try #require(DaySpan(text, .ahead)).isBackwards == isBackwards)
    }

    @Test("what is backwards finds nothing on any day")
    func backwardsFindsNothing() throws {
        let ends = [
            "0d", "1d", "27d", "28d", "31d", "4w", "1mo", "2mo", "12mo", "1y", "365d", "366d",
            "today", "yesterday", "2024", "2024-02", "2024-02-29", "2026-06-15", "999y", "1001y",
        ]
        let todays = ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-31", "2026-12-31"]
        for counting in [DaySpan.Counting.ago, .ahead] {
            for first in ends {
                for last in ends {
                    let span = try #require(DaySpan("\(first)..\(last)", counting))
                    guard span.isBackwards else { continue }
                    for today in todays {
                        let today = try #require(CalendarDay(today))
                        #expect(span.days(today: today) == nil, "\(first)..\(last) \(today)")
                    }
                }
            }
        }
    }

    @Test("none is what has no day, and the ends of the calendar are days like any")
    func noDay() throws {
        #expect(try finds(due: "none", days: nil))
        #expect(try !finds(due: "none", days: 0))
        for (text, isFound) in [
            ("9999-12-31", true), (">9999-12-30", true), (">9999-12-31", false), ("9999", true),
            ("<9999-12-31", false), ("0001..", true),
        ] {
            let days = CalendarDay.last.days(since: LocalCalendar.utc.day(Self.noon))
            #expect(try finds(due: text, days: days) == isFound, "\(text)")
        }
    }

    @Test("what is late is open and was due before today; what is scheduled waits for another day")
    func states() throws {
        func found(_ query: String, _ change: (inout Item) -> Void) throws -> Bool {
            var item = Item(
                id: Fixtures.id(1), name: "", rank: .between(nil, nil), createdAt: Self.today)
            change(&item)
            let search = try ItemSearch(
                Query(query), words: .fuzzy, tags: [], now: Self.noon, calendar: .utc)
            var matcher = ItemMatcher(search)
            return matcher.includes(item)
        }
        let today = LocalCalendar.utc.day(Self.noon)
        #expect(try found("is:overdue") { $0.due = today.adding(days: -1) })
        #expect(try !found("is:overdue") { $0.due = today })
        #expect(try !found("is:overdue") { _ in })
        #expect(
            try !found("is:overdue") {
                $0.due = .first
                $0.doneAt = Self.noon
            })
        #expect(try found("is:scheduled") { $0.scheduled = today.adding(days: 1) })
        #expect(try !found("is:scheduled") { $0.scheduled = today })
        #expect(try found("-is:scheduled") { $0.scheduled = nil })
        #expect(try found("is:repeating") { $0.repeat = Repeat("1d") })
        #expect(try found("priority:A..C") { $0.priority = .c })
        #expect(try !found("priority:A..C") { $0.priority = .d })
        #expect(try !found("priority:A..C") { _ in })
        #expect(try found("priority:none") { _ in })
    }

    @Test(
        "what is no day is no span",
        arguments: [
            "", "tomorrow", "3", "3x", "d", ">", "..", "2026-13", "2026-02-30", "26-06", "2026-6",
            "=2026", "<>3d", "a..b", "2026..x", "+2026", "-1d", "٣d",
        ])
    func refuses(text: String) {
        #expect(DaySpan(text) == nil)
    }

    @Test(
        "any number is answered",
        arguments: ["99999999999999999999d", ">4000000y", "9999..", "..0001"])
    func answersAnyNumber(text: String) throws {
        _ = try finds(text, days: 0)
        _ = try finds(text, days: -700_000)
    }

    @Test(
        "the first days of the calendar and the last are found, and what lies beyond them",
        arguments: [
            ("0001-01-01", ["before", "0001-01-01"]), ("9999-12-31", ["9999-12-31", "after"]),
            ("9999-12-30", ["9999-12-30"]), ("9999-12", ["9999-12-30", "9999-12-31", "after"]),
            ("9999", ["9999-12-30", "9999-12-31", "after"]),
            ("0001", ["before", "0001-01-01", "0001-01-02"]),
            ("9999-12-31..", ["9999-12-31", "after"]), ("..0001-01-01", ["before", "0001-01-01"]),
            ("9999-12-30..9999-12-31", ["9999-12-30", "9999-12-31", "after"]),
            (">9999-12-31", []), ("<0001-01-01", []), (">9999", []), ("<0001", []),
            (">9999-12-30", ["9999-12-31", "after"]), ("<0001-01-02", ["before", "0001-01-01"]),
            (">=9999-12-31", ["9999-12-31", "after"]), ("<=0001-01-01", ["before", "0001-01-01"]),
        ])
    func findsTheEnds(text: String, expected: [String]) throws {
        var times = [("before", Timestamp(milliseconds: .min))]
        for text in ["0001-01-01", "0001-01-02", "9999-12-30", "9999-12-31"] {
            let day = try #require(CalendarDay(text))
            let start = LocalCalendar.utc.start(day).milliseconds
            times.append((text, Timestamp(milliseconds: start + Self.day - 1)))
        }
        times.append(("after", Timestamp(milliseconds: .max)))
        let search = try ItemSearch(
            Query("created:\(text)"), words: .fuzzy, tags: [], now: Self.noon, calendar: .utc)
        var matcher = ItemMatcher(search)
        let found = times.filter { _, time in
            matcher.includes(
                Item(id: Fixtures.id(1), name: "", rank: .between(nil, nil), createdAt: time))
        }
        #expect(found.map(\.0) == expected)
    }

    @Test("the system's days are those of the C library, back and forth")
    func systemDays() throws {
        let calendar = LocalCalendar.system
        for text in ["1970-01-02", "2024-02-29", "2026-03-29", "2026-10-25", "2026-12-31"] {
            let day = try #require(CalendarDay(text))
            let start = calendar.start(day)
            #expect(calendar.day(start) == day)
            #expect(calendar.day(Timestamp(milliseconds: start.milliseconds - 1)) < day)
            #expect(day.description == text)
        }
        #expect(calendar.day(Timestamp(milliseconds: .max)) > calendar.day(Self.noon))
        #expect(calendar.day(Timestamp(milliseconds: .min)) < calendar.day(Self.noon))
    }

    @Test("days are counted across months and years")
    func countsDays() throws {
        let day = try #require(CalendarDay("2024-03-31"))
        #expect(day.advanced(days: -31).description == "2024-02-29")
        #expect(day.advanced(months: -1).description == "2024-02-29")
        #expect(day.advanced(months: 11).description == "2025-02-28")
        #expect(day.advanced(days: 366).description == "2025-04-01")
        #expect(day.advanced(days: .min).description == "0001-01-01")
        #expect(day.advanced(months: .max).description == "9999-12-31")
        var other = try #require(CalendarDay("0001-01-01"))
        for _ in 0..<150_000 {
            let next = other.advanced(days: 1)
            #expect(other < next && next.advanced(days: -1) == other)
            other = next
        }
        #expect(other.description == "0411-09-09")
    }
}

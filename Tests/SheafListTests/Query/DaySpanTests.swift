import Foundation
import SheafTestSupport
import Testing

@testable import SheafList

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
            Query("created:\(text)"), tags: [], now: Self.noon, calendar: .utc)
        return search.finds(item)
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
            // Days as in a prompt, looking back.
            ("2m", -61, 400), ("mon", -7, -6.001), ("sun", -1, -0.001), ("15", 0, 0.999),
            ("14", -1, -0.001), ("16", -30, -29.001), ("15jun", 0, 0.999),
            ("16jun", -364, -363.001),
            ("16.6.", -364, -363.001), ("20dec..5jan", -177, -160.001),
            ("29feb..1mar", -837, -835.001), ("1jun..30jun", -14, 15.999),
            ("1.6...30.6.", -14, 15.999), ("1.6...30jun", -14, 15.999),
            ("1feb..29feb", -865, -836.001), ("10..20", -5, 5.999), ("20..10", -26, -4.001),
            ("15..15", 0, 0.999), ("16..14", -30, -0.001), ("31..1", -15, -13.001),
            // An end without a year is the day of a query for it alone, if the range runs forwards.
            ("1jun..today", -14, 0.999), ("yesterday..30jun", -1, 15.999),
            ("2025-12-20..5jan", -177, -160.001), ("20dec..2024-01-05", -908, -891.001),
            ("1may..2026-05", -45, -14.001), ("2025-07..20jul", -349, -329.001),
            ("1w..20", -7, 5.999),
            ("mon..fri", -7, -2.001), ("sat..sun", -2, -0.001),
            ("-1w", -7, -6.001), ("\"2 days ago\"", -2, -1.001), ("\"2 weeks\"", -14, 999),
            ("tomorrow", 1, 1.999),
            ("\"2 days ago..today\"", -2, 0.999),
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
            Query("due:\(text)"), tags: [], now: Self.noon, calendar: .utc)
        return search.finds(item)
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
            // Days as in a prompt.
            ("2m", 0, 61), ("eow", 6, 6), ("weekend", 5, 5), ("eom", 15, 15), ("30", 15, 15),
            ("15", 0, 0), ("14", 29, 29), ("15dec", 183, 183), ("15.6.", 0, 0), ("14.06", 364, 364),
            ("som", 16, 16), ("3b", 0, 3), ("5b", 0, 7), ("+3d", 3, 3), ("-1w", -7, -7),
            ("\"next fri\"", 11, 11), ("\"<in 3 days\"", -9_000, 2), ("<=eom", -9_000, 15),
            ("..eow", -9_000, 6), ("\"3 days\"", 0, 3), ("\"a week\"", 0, 7), ("today..eom", 0, 15),
            ("\"next mon..next fri\"", 7, 11),
            ("\"next mon\"..\"next fri\"", 7, 11), ("today..\"next fri\"", 0, 11),
            ("\"next mon\"..", 7, 9_000), ("<\"next fri\"", -9_000, 10),
            // Ranges of weekdays.
            ("tue..fri", 1, 4), ("mon..fri", 7, 11), ("fri..mon", 4, 7), ("mon..mon", 7, 7),
            ("sun..sat", 6, 12), ("today..mon", 0, 7), ("fri..", 4, 9_000),
            // Ranges of dates without a year: today is 15 June 2026.
            ("20dec..5jan", 188, 204), ("1jun..30jun", -14, 15), ("29feb..1mar", 624, 625),
            ("1feb..29feb", 596, 624), ("20..10", 5, 25), ("10..20", -5, 5), ("15..15", 0, 0),
            ("16..14", 1, 29), ("14..16", -1, 1), ("31..1", 46, 47), ("1jan..14jun", 200, 364),
            // One end without a year takes the year that the other end is in.
            ("1jun..today", -14, 0), ("today..30jun", 0, 15), ("2027-12-20..5jan", 553, 569),
            ("20dec..2028-01-05", 188, 569), ("15dec..2027", 183, 564), ("15..15jul", 0, 30),
            ("16..eom", 1, 15), ("1may..2026-05", -45, -15), ("1w..16", 7, 31),
            ("fri..16", 4, 31), ("14..fri", -1, 4),
        ])
    func future(text: String, first: Int, last: Int) throws {
        for day in [-9_000, first - 1, first, last, last + 1, 9_000] where abs(day) <= 9_000 {
            let isAmong = first <= day && day <= last
            #expect(try finds(due: text, days: day) == isAmong, "\(day)")
        }
        #expect(try !finds(due: text, days: nil))
    }

    @Test(
        "a range that ends before it begins is refused, judged by the days that it has today",
        arguments: [
            ("created:2026-06-15..2026-05", true), ("created:2026..2025-12-31", true),
            ("created:2026-06..2026-06-15", false), ("created:2026-06-15..2026-06", false),
            ("created:today..yesterday", true), ("created:today..today", false),
            ("created:1w..3d", false), ("created:3d..1w", true), ("created:7d..1w", false),
            ("created:1mo..31d", false), ("created:30d..1mo", true), ("created:today..2020", true),
            ("created:2026-07..today", true), ("created:2026-06..today", false),
            ("created:mon..fri", false), ("created:fri..mon", false), ("created:2026..", false),
            ("created:>9999-12-31", false), ("due:mon..fri", false), ("due:fri..mon", false),
            ("due:1w..3d", true), ("due:3d..1w", false), ("due:tomorrow..1d", false),
            ("due:fri..1d", true), ("due:eom..eow", true), ("due:today..2020", true),
            ("due:4000y..5000y", false),
        ])
    func backwards(text: String, isBackwards: Bool) throws {
        let query = try Query(text)
        do {
            _ = try ItemSearch(
                query, tags: [], now: Self.noon, calendar: .utc)
            #expect(!isBackwards)
        } catch {
            #expect(isBackwards && "\(error)".contains("ends before it begins"))
        }
    }

    @Test(
        "a day that the calendar does not have is named as such",
        arguments: [
            "due:2027-02-29", "due:<2026-13", "created:2026-01-01..2026-02-30", "due:30feb",
            "done:..31sep",
        ])
    func noSuchDay(text: String) {
        let error = #expect(throws: QueryError.self) { try Query(text) }
        #expect(error?.reason == "there is no such date")
    }

    @Test("a range of weekdays holds as many days on each day")
    func weekdayRanges() throws {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        let monday = try #require(CalendarDay("2026-06-15"))
        for looksBack in [true, false] {
            for (first, from) in names.enumerated() {
                for (last, to) in names.enumerated() {
                    let span = try #require(DaySpan("\(from)..\(to)", looksBack: looksBack))
                    for number in 0..<7 {
                        let today = monday.advanced(days: number)
                        let days = try #require(span.days(today: today))
                        #expect(
                            days.upperBound.days(since: days.lowerBound) == (last - first + 7) % 7)
                        #expect(days.lowerBound.weekday.rawValue == first)
                        let nearest = looksBack ? days.upperBound : days.lowerBound
                        #expect((1...7).contains(abs(nearest.days(since: today))))
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
                Query(query), tags: [], now: Self.noon, calendar: .utc)
            return search.finds(item)
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

    @Test("on a weekend the working day of `0b` is the Friday before, as in a prompt")
    func weekend() throws {
        let saturday = try #require(CalendarDay("2026-06-20"))
        let days = try #require(DaySpan("0b", looksBack: false)?.days(today: saturday))
        let friday = try #require(CalendarDay("2026-06-19"))
        #expect(days == friday...friday)
    }

    @Test(
        "what is no day is no span",
        arguments: [
            "", "32", "3x", "d", ">", "..", "2026-13", "2026-02-30", "26-06", "2026-6", "30feb",
            "=2026", "<>3d", "a..b", "2026..x", "+2026", "--1d", "٣d", "3b", "none", "next",
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
            Query("created:\(text)"), tags: [], now: Self.noon, calendar: .utc)
        let found = times.filter { _, time in
            search.finds(
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
            let numbers = text.split(separator: "-").compactMap { Int32($0) }
            var time = tm()
            time.tm_year = numbers[0] - 1_900
            time.tm_mon = numbers[1] - 1
            time.tm_mday = numbers[2]
            time.tm_isdst = -1
            #expect(start.milliseconds == Int64(mktime(&time)) * 1_000)
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

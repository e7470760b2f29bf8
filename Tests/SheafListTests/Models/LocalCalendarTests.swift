import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// Days and the times that lie on them, in time zones from 11 hours behind UTC to 14 ahead of it.
@Suite("Days in time zones")
struct LocalCalendarTests {
    static let zones = [
        "Pacific/Pago_Pago", "America/New_York", "America/St_Johns", "UTC", "Europe/Berlin",
        "Asia/Kathmandu", "Pacific/Chatham", "Pacific/Kiritimati",
    ]

    /// Days on and around which clocks change in New York or Berlin, and some others.
    static let days = [
        "2026-03-07", "2026-03-08", "2026-03-09", "2026-10-31", "2026-11-01", "2026-11-02",
        "2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25", "2026-10-26",
        "1969-12-31", "1970-01-01", "2024-02-29", "2026-01-01", "2026-11-20", "2026-12-31",
    ]

    private func calendar(_ zone: String) throws -> LocalCalendar {
        try #require(LocalCalendar.zone(zone))
    }

    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    private func earlier(_ time: Timestamp, by milliseconds: Int64 = 1) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds - milliseconds)
    }

    @Test("a day without a time is that day in every time zone", arguments: zones)
    func daysAlone(zone: String) throws {
        let calendar = try calendar(zone)
        for text in Self.days {
            let day = try day(text)
            #expect(Timestamp(day).isDay)
            #expect(Timestamp(day).day == day)
            #expect(calendar.day(Timestamp(day)) == day)
            #expect(Timestamp(day).milliseconds % 86_400_000 == 0)
        }
        #expect(Timestamp(.epoch) == .zero)
    }

    @Test(
        "a moment lies on the local day, from its first millisecond to its last", arguments: zones)
    func moments(zone: String) throws {
        let calendar = try calendar(zone)
        for text in Self.days {
            let day = try day(text)
            let next = day.advanced(days: 1)
            let (start, end) = (calendar.start(day), calendar.start(next))
            #expect(calendar.day(start.moment) == day, "\(text)")
            #expect(calendar.day(earlier(end)) == day, "\(text)")
            #expect(calendar.day(end.moment) == next, "\(text)")
            #expect(calendar.minute(start) == 0)
            #expect(calendar.minute(earlier(end)) == 24 * 60 - 1)
        }
    }

    @Test(
        "a day is as long as the clock makes it",
        arguments: [
            ("America/New_York", "2026-03-08", 23), ("America/New_York", "2026-11-01", 25),
            ("America/New_York", "2026-03-29", 24), ("Europe/Berlin", "2026-03-29", 23),
            ("Europe/Berlin", "2026-10-25", 25), ("Europe/Berlin", "2026-11-01", 24),
            // Midnight does not exist, or exists twice.
            ("America/Havana", "2026-03-08", 23), ("America/Havana", "2026-11-01", 25),
            ("Africa/Cairo", "2026-04-24", 23), ("Africa/Cairo", "2026-10-29", 25),
            ("America/Sao_Paulo", "2018-11-04", 23), ("America/Sao_Paulo", "2018-02-17", 25),
            // A gap from half past eleven to half past twelve.
            ("America/Toronto", "1919-03-31", 23),
            // A day that was left out.
            ("Pacific/Apia", "2011-12-29", 24), ("Pacific/Apia", "2011-12-30", 0),
            ("Pacific/Apia", "2011-12-31", 24),
        ])
    func lengths(zone: String, text: String, hours: Int64) throws {
        let (calendar, day) = (try calendar(zone), try day(text))
        let (start, end) = (calendar.start(day), calendar.start(day.advanced(days: 1)))
        // The gap of Toronto takes half an hour from each of two days.
        let isHalf = text == "1919-03-31"
        let length = isHalf ? 2 * hours + 1 : 2 * hours
        #expect(end.milliseconds(since: start) == length * 1_800_000)
        #expect(calendar.day(earlier(start)) < day)
        #expect(calendar.day(end.moment) > day)
        if hours > 0 { #expect(calendar.day(start.moment) == day) }
        // A day that does not exist there is still a day without a time.
        #expect(calendar.day(Timestamp(day)) == day)
    }

    @Test("a moment never is a day without a time, and the next moment is none either")
    func stamps() throws {
        let midnight = Timestamp(try day("2026-11-20"))
        #expect(midnight.moment.milliseconds == midnight.milliseconds + 1)
        #expect(midnight.moment.moment == midnight.moment)
        #expect(earlier(midnight).moment == earlier(midnight))
        #expect(earlier(midnight).next == midnight.moment)
        #expect(midnight.next == midnight.moment)
        #expect(Timestamp(milliseconds: .max).next.milliseconds == .max)
        let calendar = try calendar("America/New_York")
        #expect(calendar.day(midnight.moment) == (try day("2026-11-19")))
    }

    @Test("times that no calendar has lie on its first or its last day")
    func ends() throws {
        let dayLength: Int64 = 86_400_000
        for zone in Self.zones {
            let calendar = try calendar(zone)
            #expect(calendar.day(Timestamp(milliseconds: .min)) == .first)
            #expect(calendar.day(Timestamp(milliseconds: .max)) == .last)
            let days = Int64.max / dayLength
            #expect(calendar.day(Timestamp(milliseconds: days * dayLength)) == .last)
            #expect(calendar.day(Timestamp(milliseconds: -days * dayLength)) == .first)
        }
    }

    // MARK: Queries

    @Test("a query finds the times whose day it names, and no other", arguments: zones)
    func queries(zone: String) throws {
        let calendar = try calendar(zone)
        var generator = SeededGenerator(seed: 6)
        for text in Self.days {
            let day = try day(text)
            var times: [Timestamp] = []
            for days in -2...2 {
                let other = day.advanced(days: days)
                let start = calendar.start(other)
                times += [Timestamp(other), Timestamp(other).moment, earlier(Timestamp(other))]
                times += [start, start.moment, earlier(start)]
                times.append(
                    Timestamp(
                        milliseconds: start.milliseconds
                            + .random(in: 0..<86_400_000, using: &generator)))
            }
            let (before, after) = (day.advanced(days: -1), day.advanced(days: 1))
            for (query, isWanted) in [
                ("\(day)", { $0 == day }), ("<\(day)", { $0 < day }), (">\(day)", { $0 > day }),
                ("<=\(day)", { $0 <= day }), (">=\(day)", { $0 >= day }),
                ("\(before)..\(after)", { before <= $0 && $0 <= after }),
                ("\(day)..", { $0 >= day }), ("..\(day)", { $0 <= day }),
                ("today", { $0 == day }), ("yesterday", { $0 == before }),
            ] as [(String, (CalendarDay) -> Bool)] {
                // Noon, so that it is that day everywhere.
                let now = Timestamp(
                    milliseconds: calendar.start(day).milliseconds + 12 * 3_600_000 + 1)
                for field in ["created", "done"] {
                    let search = try ItemSearch(
                        Query("\(field):\(query)"), tags: [], now: now,
                        calendar: calendar)
                    for time in times {
                        let item = Item(
                            id: Fixtures.id(1), name: "", doneAt: time, rank: .between(nil, nil),
                            createdAt: time)
                        #expect(
                            search.finds(item) == isWanted(calendar.day(time)),
                            "\(query) \(time.milliseconds)")
                    }
                }
            }
        }
    }

    // MARK: Sorting

    @Test("days without a time stand at the beginning of their local day", arguments: zones)
    func sorting(zone: String) async throws {
        let calendar = try calendar(zone)
        for text in Self.days {
            let day = try day(text)
            let start = calendar.start(day)
            // One by one later, by the day that they mean.
            let times = [
                Timestamp(day.advanced(days: -1)), earlier(start, by: 2),
                Timestamp(day), Timestamp(milliseconds: start.milliseconds + 2).moment,
                earlier(calendar.start(day.advanced(days: 1)), by: 2),
            ]
            let ranks = Rank.spread(times.count, between: nil, and: nil)
            let items = times.indices.map {
                Item(
                    id: Fixtures.id($0), name: "\($0)", doneAt: times[$0], rank: ranks[$0],
                    createdAt: times[$0])
            }
            for sort in [ItemSort.created, .changed, .done] {
                for isReversed in [false, true] {
                    let order = ItemOrder(
                        sort: sort, isReversed: isReversed, dayShift: calendar.shift(of: day))
                    let sorted = await order.sorted(items.shuffled()).map(\.name)
                    let expected = items.map(\.name)
                    #expect(sorted == (isReversed ? expected : expected.reversed()), "\(text)")
                }
            }
        }
    }
}

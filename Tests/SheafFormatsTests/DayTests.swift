import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafFormats

/// Days of texts, in time zones from 11 hours behind UTC to 14 ahead of it.
@Suite("Days in formats")
struct DayTests {
    static let zones = [
        "Pacific/Pago_Pago", "America/New_York", "UTC", "Europe/Berlin", "Asia/Kathmandu",
        "Pacific/Kiritimati",
    ]
    /// Among them those on which clocks change in New York and Berlin.
    static let days = ["2026-03-08", "2026-11-01", "2026-03-29", "2026-10-25", "2026-11-20"]

    private func todo(_ item: Item, _ calendar: LocalCalendar) throws -> String {
        var bytes: [UInt8] = []
        var writer = ListWriter(.todotxt, tags: [], calendar: calendar) { bytes += $0 }
        try writer.write([item])
        try writer.finish()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a todo.txt comes back with its dates, whatever the time zone", arguments: zones)
    func dates(zone: String) throws {
        let calendar = try #require(LocalCalendar.zone(zone))
        for day in Self.days {
            for line in ["x \(day) \(day) old one\n", "(B) \(day) open\n", "x \(day)  odd  one\n"] {
                let (items, _) = try RoundTrip.list(line, .todotxt)
                #expect(try todo(items[0], calendar) == line)
            }
        }
    }

    @Test("a moment is exported as the local day that it lies on", arguments: zones)
    func moments(zone: String) throws {
        let calendar = try #require(LocalCalendar.zone(zone))
        for text in Self.days {
            let day = try #require(CalendarDay(text))
            let end = calendar.start(day.advanced(days: 1)).milliseconds
            for time in [calendar.start(day).moment, Timestamp(milliseconds: end - 1)] {
                let item = Item(
                    id: Fixtures.id(1), name: "a", doneAt: time, rank: .between(nil, nil),
                    createdAt: time)
                #expect(try todo(item, calendar) == "x \(day) \(day) a\n")
            }
        }
    }

    @Test("an item that was exported is known when it is imported again", arguments: zones)
    func known(zone: String) throws {
        let calendar = try #require(LocalCalendar.zone(zone))
        let day = try #require(CalendarDay("2026-11-20"))
        let end = calendar.start(day.advanced(days: 1)).milliseconds
        for time in [Timestamp(day), calendar.start(day).moment, Timestamp(milliseconds: end - 1)] {
            let item = Item(
                id: Fixtures.id(1), name: "a", doneAt: time, rank: .between(nil, nil),
                createdAt: time)
            for (text, format) in [
                (try todo(item, calendar), ListFormat.todotxt),
                ("- [x] a ➕ 2026-11-20 ✅ 2026-11-20\n", .markdown),
            ] {
                let list = try format.read(Data(text.utf8))
                var known = KnownItems(list.items, format: format, tags: [], calendar: calendar)
                known.markKnown(item)
                #expect(known.isComplete, "\(text)")
            }
        }
    }

    @Test("a date in Markdown and in JSON is a day without a time")
    func otherFormats() throws {
        let day = try #require(CalendarDay("2026-11-20"))
        for (text, format) in [
            ("- [x] a ➕ 2026-11-20 ✅ 2026-11-20\n", ListFormat.markdown),
            (#"[{"name": "a", "createdAt": "2026-11-20", "doneAt": "2026-11-20"}]"#, .json),
        ] {
            let item = try RoundTrip.list(text, format).items[0]
            #expect(item.createdAt == Timestamp(day))
            #expect(item.doneAt == Timestamp(day))
        }
    }

    @Test("a year that no calendar has is part of the description")
    func yearZero() throws {
        let line = "x 0000-05-05 2026-11-01 a\n"
        let (items, _) = try RoundTrip.list(line, .todotxt)
        #expect(items[0].name == "0000-05-05 2026-11-01 a")
        #expect(try todo(items[0], .utc) == line)
    }
}

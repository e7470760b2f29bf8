import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

@Suite("Times in full")
struct MomentTests {
    private func full(_ milliseconds: Int64, at wall: Timestamp = Fixtures.now) -> String {
        Moment(wall: wall, monotonic: .now).full(Timestamp(milliseconds: milliseconds))
    }

    @Test("a time that another program wrote may be any number, and so may the clock's")
    func anyNumber() {
        #expect(full(.min).hasSuffix("999 years ago"))
        #expect(full(.max).hasSuffix("just now"))
        #expect(full(.min, at: Timestamp(milliseconds: .max)).hasSuffix("999 years ago"))
        #expect(full(.max, at: Timestamp(milliseconds: .min)).hasSuffix("just now"))
        #expect(full(Fixtures.now.milliseconds - 60_000).hasSuffix("1 minute ago"))
    }

    @Test(
        "a day without a time is as old in days as it says, in every time zone",
        arguments: ["Pacific/Pago_Pago", "America/New_York", "Europe/Berlin", "Pacific/Kiritimati"])
    func days(zone: String) throws {
        let calendar = try #require(LocalCalendar.zone(zone))
        let today = try #require(CalendarDay("2026-03-08"))
        let end = calendar.start(today.advanced(days: 1)).milliseconds
        for wall in [calendar.start(today).moment, Timestamp(milliseconds: end - 1)] {
            let moment = Moment(wall: wall, monotonic: .now, calendar: calendar)
            for (days, full) in [
                (0, "2026-03-08, today"), (-1, "2026-03-07, yesterday"),
                (-5, "2026-03-03, 5 days ago"), (-400, "2025-02-01, 400 days ago"),
                (1, "2026-03-09, tomorrow"),
            ] {
                let day = today.advanced(days: days)
                #expect(moment.full(Timestamp(day)) == full)
                #expect(moment.day(of: Timestamp(day)) == day)
            }
            #expect(moment.day(of: wall) == today)
            #expect(moment.full(wall).hasSuffix(", just now"))
            #expect(moment.full(wall).hasPrefix("2026-03-08 "))
        }
    }
}

import SheafCore
import SheafTestSupport
import Testing

@testable import SheafTUI

@Suite("Ages")
struct MomentTests {
    private func age(_ milliseconds: Int64, at wall: Timestamp = Fixtures.now) -> String {
        Moment(wall: wall, monotonic: .now).age(of: Timestamp(milliseconds: milliseconds))
    }

    @Test("a time that another program wrote may be any number, and so may the clock's")
    func anyNumber() {
        #expect(age(.min) == "999y")
        #expect(age(.max) == "now")
        #expect(age(.min, at: Timestamp(milliseconds: .max)) == "999y")
        #expect(age(.max, at: Timestamp(milliseconds: .min)) == "now")
        #expect(age(Fixtures.now.milliseconds - 60_000) == "1min")
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
            for (days, age, full) in [
                (0, "today", "2026-03-08, today"), (-1, "1d", "2026-03-07, yesterday"),
                (-5, "5d", "2026-03-03, 5 days ago"), (-400, "13mo", "2025-02-01, 400 days ago"),
                (1, "now", "2026-03-09, tomorrow"),
            ] {
                let time = Timestamp(today.advanced(days: days))
                #expect(moment.age(of: time) == age)
                #expect(moment.full(time) == full)
            }
            #expect(moment.full(wall).hasSuffix(", just now"))
            #expect(moment.full(wall).hasPrefix("2026-03-08 "))
        }
        #expect(age(.max / 86_400_000 * 86_400_000) == "now")
        #expect(age(.min / 86_400_000 * 86_400_000) == "999y")
    }
}

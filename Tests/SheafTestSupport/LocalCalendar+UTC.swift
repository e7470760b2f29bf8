import Foundation
import SheafCore

extension LocalCalendar {
    /// A world in which every day begins at midnight UTC.
    public static let utc = LocalCalendar(
        start: { day in
            var parts = tm()
            parts.tm_year = Int32(day.year - 1900)
            parts.tm_mon = Int32(day.month - 1)
            parts.tm_mday = Int32(day.day)
            return Timestamp(milliseconds: Int64(timegm(&parts)) * 1_000)
        },
        day: { time in
            var seconds = time_t(time.milliseconds / 1_000)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            let day = CalendarDay(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1,
                day: Int(parts.tm_mday))
            return day ?? CalendarDay(year: 1, month: 1, day: 1)!
        })
}

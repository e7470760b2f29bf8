/// Names of days in rows and headings.
extension CalendarDay {
    /// Returns a short name of the day relative to `today`, at most nine columns wide: `tomorrow`;
    /// `Fri 27` from six days ago to six days ahead; `8 Dec` within the year and two months beyond
    /// it; else `Dec 2027`.
    package func word(today: CalendarDay) -> String {
        switch days(since: today) {
        case -1: return "yesterday"
        case 0: return "today"
        case 1: return "tomorrow"
        case -6...6: return "\(weekday.shortName) \(day)"
        default:
            let isNear =
                year == today.year
                || (today.advanced(months: -2)...today.advanced(months: 2)).contains(self)
            return isNear ? "\(day) \(monthName)" : "\(monthName) \(year)"
        }
    }
}

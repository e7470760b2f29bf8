/// How rows and headings say a day.
extension CalendarDay {
    /// The day as people say it on `today`, in at most nine columns: `tomorrow`; from six days ago
    /// to six days ahead `Fri 27`; within the year, and two months beyond it, `8 Dec`; else
    /// `Dec 2027`.
    public func word(today: CalendarDay) -> String {
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

extension Item {
    /// Whether it is late: not done, and due before `today`.
    public func isOverdue(today: CalendarDay) -> Bool {
        !isDone && due.map { $0 < today } ?? false
    }
}

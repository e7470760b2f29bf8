/// A heading above items that are sorted by a date.
package enum DayHeading: Hashable, Sendable {
    /// Due before today.
    case late
    case yesterday, today, tomorrow
    /// Another day of the current week, which starts on Monday.
    case thisWeek
    /// Another month of this year, or the rest of this month.
    case month(CalendarDay)
    /// Another year.
    case year(Int)
    /// No date. The associated value is the title.
    case none(String)

    /// Creates the heading of `item` in a list sorted by `sort`, or returns `nil` if `sort` is not
    /// a date. O(1).
    package init?(
        of item: Item, sortedBy sort: ItemSort, today: CalendarDay, calendar: LocalCalendar
    ) {
        switch sort {
        case .due:
            guard !item.isDone, let due = item.due else {
                self = .none(item.isDone ? "Done" : "No date")
                return
            }
            self = due < today ? .late : DayHeading(due, today: today)
        case .created, .changed, .done:
            guard let time = item.time(for: sort) else {
                self = .none(item.isDone ? "Day unknown" : "Not done")
                return
            }
            self = DayHeading(calendar.day(time), today: today)
        case .manual, .match, .name, .tag, .priority: return nil
        }
    }

    private init(_ day: CalendarDay, today: CalendarDay) {
        switch day.days(since: today) {
        case -1: self = .yesterday
        case 0: self = .today
        case 1: self = .tomorrow
        case (-today.weekday.rawValue)...(6 - today.weekday.rawValue): self = .thisWeek
        default: self = day.year == today.year ? .month(day.firstOfMonth) : .year(day.year)
        }
    }

    /// The text of the heading.
    package var title: String {
        switch self {
        case .late: "Late"
        case .yesterday: "Yesterday"
        case .today: "Today"
        case .tomorrow: "Tomorrow"
        case .thisWeek: "This week"
        case .month(let first): first.fullMonthName
        case .year(let year): "\(year)"
        case .none(let words): words
        }
    }
}

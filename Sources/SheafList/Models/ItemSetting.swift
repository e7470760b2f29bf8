/// A field of items, and the value that a command gives it.
public enum ItemSetting: Hashable, Sendable {
    case due(CalendarDay?)
    case scheduled(CalendarDay?)
    case `repeat`(Repeat?)
    case priority(Priority?)

    /// Sets the field. If that changes the date that a repeat counts from, the repeat forgets the
    /// day of the month that it kept; a day or a rule that the item has already changes nothing.
    package func apply(to item: inout Item) {
        switch self {
        case .due(let day):
            guard day != item.due else { return }
            item.due = day
            item.repeat?.dayOfMonth = nil
        case .scheduled(let day):
            guard day != item.scheduled else { return }
            item.scheduled = day
            if item.due == nil { item.repeat?.dayOfMonth = nil }
        case .repeat(let rule):
            var kept = item.repeat
            kept?.dayOfMonth = nil
            if rule != kept { item.repeat = rule }
        case .priority(let priority): item.priority = priority
        }
    }

    /// The message after a command gave it to one item, whose name follows: `Due Fri 27 Nov`.
    package func message(today: CalendarDay) -> String {
        switch self {
        case .due(let day): day.map { "Due \($0.shortName(today: today))" } ?? "No due date"
        case .scheduled(let day):
            day.map { "Scheduled for \($0.shortName(today: today))" } ?? "Not scheduled"
        case .repeat(let rule): rule.map { "Repeats \($0.words)" } ?? "No repeat"
        case .priority(let priority): priority.map { "Priority \($0)" } ?? "No priority"
        }
    }

    /// The message after a command gave it to several: `Due Fri 27 Nov set on 7 items`.
    package func message(of items: String, today: CalendarDay) -> String {
        switch self {
        case .due(nil), .priority(nil), .repeat(nil): "\(message(today: today)) on \(items)"
        case .due, .priority: "\(message(today: today)) set on \(items)"
        case .scheduled(let day):
            day.map { "\(items) scheduled for \($0.shortName(today: today))" }
                ?? "\(items) not scheduled"
        case .repeat(let rule?): "\(items) repeat \(rule.words)"
        }
    }
}

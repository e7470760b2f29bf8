/// A field of an item, and the value that a command gives it.
package enum ItemSetting: Hashable, Sendable {
    case due(CalendarDay?)
    case scheduled(CalendarDay?)
    case `repeat`(Repeat?)
    case priority(Priority?)

    /// A field for which a user types a value. The raw value is its word in commands.
    package enum Field: String, Hashable, Sendable {
        case due, scheduled, `repeat`, priority

        /// The keys of its words in a line of text, such as `due:2026-12-01`. An import keeps a
        /// second word with such a key, or one without a valid value, among the extras.
        package var keys: [String] {
            switch self {
            case .due: ["due"]
            case .scheduled: ["t"]
            case .repeat: ["rec", "recday"]
            case .priority: ["pri"]
            }
        }

        /// The name above the line in which the user types a value.
        package var title: String { rawValue.sentenceCased }

        /// The name in undo messages and in the status line.
        package var name: String {
            switch self {
            case .due: "due date"
            case .scheduled: "scheduled date"
            case .repeat, .priority: rawValue
            }
        }
    }

    package var field: Field {
        switch self {
        case .due: .due
        case .scheduled: .scheduled
        case .repeat: .repeat
        case .priority: .priority
        }
    }

    /// The day, if the value is a day.
    package var day: CalendarDay? {
        switch self {
        case .due(let day), .scheduled(let day): day
        case .repeat, .priority: nil
        }
    }

    /// Creates the setting with the current value of `item`.
    package init(_ field: Field, of item: Item) {
        switch field {
        case .due: self = .due(item.due)
        case .scheduled: self = .scheduled(item.scheduled)
        case .repeat: self = .repeat(item.repeat)
        case .priority: self = .priority(item.priority)
        }
    }

    /// Parses the value that a user typed.
    ///
    /// - Throws: ``TypedError`` if the text is not a value of the field.
    package init(
        _ field: Field, typed text: String, today: CalendarDay
    ) throws(TypedError) {
        switch field {
        case .due: self = .due(try TypedDay(text, today: today).day)
        case .scheduled: self = .scheduled(try TypedDay(text, today: today).day)
        case .repeat: self = .repeat(try Repeat.typed(text))
        case .priority: self = .priority(try Priority.typed(text))
        }
    }

    /// Returns the value in words: `Fri 27 Nov, in 5 days`, `every 2 weeks`, `no due date`.
    package func understood(today: CalendarDay) -> String {
        switch self {
        case .due(nil): "no due date"
        case .scheduled(nil): "not scheduled"
        case .due(let day), .scheduled(let day): TypedDay(day).words(today: today)
        case .repeat(let rule): rule?.words ?? "no repeat"
        case .priority(let priority): priority?.description ?? "no priority"
        }
    }

    /// Sets the field. If this changes the date from which a recurrence counts, the recurrence
    /// forgets the day of the month that it kept. A value that the item already has changes
    /// nothing. Extras with a key of the field are removed, because the user has replaced them.
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
            guard rule != kept else { return }
            item.repeat = rule
        case .priority(let priority):
            guard priority != item.priority else { return }
            item.priority = priority
        }
        item.removeExtras(of: field)
    }

    /// Returns a short form for an enumeration of several settings: `due Fri 27 Nov`,
    /// `every 2 weeks`.
    package func brief(today: CalendarDay) -> String {
        if case .repeat(let rule?) = self { return rule.words }
        let message = message(today: today)
        return message.prefix(1).lowercased() + message.dropFirst()
    }

    /// Returns the message after a command set the value on one item, whose name follows:
    /// `Due Fri 27 Nov`.
    package func message(today: CalendarDay) -> String {
        switch self {
        case .due(let day): day.map { "Due \($0.shortName(today: today))" } ?? "No due date"
        case .scheduled(let day):
            day.map { "Scheduled for \($0.shortName(today: today))" } ?? "Not scheduled"
        case .repeat(let rule): rule.map { "Repeats \($0.words)" } ?? "No repeat"
        case .priority(let priority): priority.map { "Priority \($0)" } ?? "No priority"
        }
    }

    /// Returns the message after a command set the value on several items:
    /// `Due Fri 27 Nov set on 7 items`.
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

extension Item {
    /// Removes extras that spell a value of `field`.
    mutating func removeExtras(of field: ItemSetting.Field) {
        guard !extras.isEmpty else { return }
        extras.removeAll { field.keys.contains($0.key) }
    }
}

import ArgumentParser
import FoundationEssentials
import SheafApp
import SheafFormats

/// The days, the repeat and the priority that a command gives items.
struct FieldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The due date: today, fri, 15dec, 2026-12-01, 3d, 2w, eom, or none.",
            valueName: "day"))
    var due: String?

    @Option(
        help: ArgumentHelp(
            "The date until which it is hidden, typed as for --due.", valueName: "day"))
    var scheduled: String?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "How it repeats: 2w after it is done, +2w after it was due, month, weekday, or none.",
            valueName: "rule"))
    var rule: String?

    @Option(help: ArgumentHelp("A letter from A to Z, or none.", valueName: "letter"))
    var priority: String?

    func validate() throws { _ = try setting() }

    /// What they say.
    ///
    /// - Throws: `ValidationError` for what says nothing.
    func setting(today: CalendarDay = .today) throws -> ItemSetting {
        var setting = ItemSetting()
        func read<Value>(
            _ option: String, _ text: String?, _ field: String,
            _ value: (String) throws(TypedError) -> Value, _ words: (Value) -> String,
            _ set: (inout Item, Value) -> Void
        ) throws {
            guard let text else { return }
            do throws(TypedError) {
                let value = try value(text)
                set(&setting.item, value)
                setting.fields.append(field)
                setting.words.append(words(value))
            } catch {
                throw ValidationError("--\(option) \(quoted(text)): \(error.reason).")
            }
        }
        func day(_ text: String) throws(TypedError) -> TypedDay { try TypedDay(text, today: today) }
        try read(
            "due", due, "due", day,
            { $0.day == nil ? "no due date" : "due \($0.words(today: today))" }
        ) { $0.due = $1.day }
        try read(
            "scheduled", scheduled, "scheduled", day,
            { $0.day == nil ? "not scheduled" : "scheduled \($0.words(today: today))" }
        ) { $0.scheduled = $1.day }
        try read(
            "repeat", rule, "repeat", { text throws(TypedError) in try Repeat.typed(text) },
            { $0.map { "repeat \($0), \($0.words)" } ?? "no repeat" }
        ) { $0.repeat = $1 }
        try read(
            "priority", priority, "priority",
            { text throws(TypedError) in try Priority.typed(text) },
            { $0.map { "priority \($0)" } ?? "no priority" }
        ) { $0.priority = $1 }
        return setting
    }
}

/// Values for some fields of items.
struct ItemSetting: Sendable {
    /// Has the values, and is blank but for them.
    fileprivate(set) var item = Item(id: UUID.random())
    /// The names of the fields.
    fileprivate(set) var fields: [String] = []
    /// What they say: `due Fri 27 Nov, in 5 days`.
    fileprivate(set) var words: [String] = []

    func apply(to item: inout Item) {
        for field in Item.fields where fields.contains(field.name) {
            field.copy(from: self.item, to: &item)
        }
        let isDated = fields.contains("due") || item.due == nil && fields.contains("scheduled")
        if isDated, !fields.contains("repeat") { item.keepDayOfMonth() }
    }
}

extension CalendarDay {
    /// The user's day.
    static var today: CalendarDay { LocalCalendar.system.day(.now) }
}

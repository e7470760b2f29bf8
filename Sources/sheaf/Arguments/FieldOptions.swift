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

    func validate() throws { _ = try values() }

    /// What they say.
    ///
    /// - Throws: `ValidationError` for what says nothing.
    func values(today: CalendarDay = .today) throws -> FieldValues {
        var values = FieldValues()
        func read<Value>(
            _ option: String, _ text: String?, _ value: (String) throws(TypedError) -> Value,
            _ setting: (Value) -> ItemSetting, _ words: (Value) -> String
        ) throws {
            guard let text else { return }
            do throws(TypedError) {
                let value = try value(text)
                values.settings.append(setting(value))
                values.words.append(words(value))
            } catch {
                throw ValidationError("--\(option) \(quoted(text)): \(error.reason).")
            }
        }
        func day(_ text: String) throws(TypedError) -> TypedDay { try TypedDay(text, today: today) }
        try read("due", due, day, { .due($0.day) }) {
            $0.day == nil ? "no due date" : "due \($0.words(today: today))"
        }
        try read("scheduled", scheduled, day, { .scheduled($0.day) }) {
            $0.day == nil ? "not scheduled" : "scheduled \($0.words(today: today))"
        }
        try read(
            "repeat", rule, { text throws(TypedError) in try Repeat.typed(text) }, { .repeat($0) }
        ) { $0.map { "repeat \($0), \($0.words)" } ?? "no repeat" }
        try read(
            "priority", priority, { text throws(TypedError) in try Priority.typed(text) },
            { .priority($0) }
        ) { $0.map { "priority \($0)" } ?? "no priority" }
        return values
    }
}

/// Values for some fields of items.
struct FieldValues: Sendable {
    /// The dates before the repeat: another date changes the day of the month that a repeat keeps.
    fileprivate(set) var settings: [ItemSetting] = []
    /// What they say: `due Fri 27 Nov, in 5 days`.
    fileprivate(set) var words: [String] = []

    func apply(to item: inout Item) {
        for setting in settings { setting.apply(to: &item) }
    }
}

extension CalendarDay {
    /// The user's day.
    static var today: CalendarDay { LocalCalendar.system.day(.now) }
}

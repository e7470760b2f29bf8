import ArgumentParser
import FoundationEssentials
import SheafApp
import SheafFormats

/// The days, the recurrence and the priority that a command sets for items.
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

    func validate() throws { _ = try settings() }

    /// Returns the given values. Dates come before the recurrence, because setting a date changes
    /// the day of the month that a recurrence keeps.
    ///
    /// - Throws: `ValidationError` for a value that cannot be parsed.
    func settings(today: CalendarDay = .today) throws -> [ItemSetting] {
        let texts: [(ItemSetting.Field, String?)] = [
            (.due, due), (.scheduled, scheduled), (.repeat, rule), (.priority, priority),
        ]
        return try texts.compactMap { field, text in
            guard let text else { return nil }
            do throws(TypedError) {
                return try ItemSetting(field, typed: text, today: today)
            } catch {
                throw ValidationError("--\(field.rawValue) \(quoted(text)): \(error.reason).")
            }
        }
    }
}

extension ItemSetting {
    /// Returns the value in the form for a command's report: `due Fri 27 Nov, in 5 days`.
    func words(today: CalendarDay = .today) -> String {
        let value = understood(today: today)
        return switch self {
        case .due(nil), .scheduled(nil), .repeat(nil), .priority(nil): value
        case .repeat(let rule?): "repeat \(rule), \(value)"
        case .due, .scheduled, .priority: "\(field.rawValue) \(value)"
        }
    }
}

extension CalendarDay {
    /// The current day in the user's time zone.
    static var today: CalendarDay { LocalCalendar.system.day(.now) }
}

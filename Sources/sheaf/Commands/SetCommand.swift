import ArgumentParser
import SheafCore
import SheafStorage

/// `sheaf set`: days, a repeat and a priority for items.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        _superCommandName: "sheaf",
        abstract: "Set when items are due, and how much they matter.",
        usage: """
            sheaf set [--store <url>] [--due <day>] [--scheduled <day>] [--repeat <rule>] [--priority <letter>] \
            \(ItemArguments.usage)
            """,
        discussion: """
            What is not named stays; none takes it away. If one id is wrong, nothing is changed.

            Days are typed as people say them: today, tomorrow, fri, next mon, 15, 15dec, 2026-12-01, 3d, 2w, in 3 \
            days, eow, eom, eoy; a repeat as 2w (two weeks after the item is done), +2w (after it was due), month, \
            weekday or every 3 days. 'sheaf done' makes the next of an item that repeats.

            \(ItemArguments.help)

            For example:
              sheaf set 9b2f --due fri --priority A
              sheaf set 03ac --due 2026-12-31 --repeat +1m
              sheaf set --where "is:overdue @home" --due today
              sheaf list --ids +garden | sheaf set --scheduled none -
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var fields: FieldOptions

    @OptionGroup var items: ItemArguments

    func validate() throws {
        guard try !fields.setting().fields.isEmpty else {
            throw ValidationError("Say what to set: --due, --scheduled, --repeat or --priority.")
        }
    }

    func run() throws {
        let edited = try items.edited()
        let setting = try fields.setting()
        try ListEdit.perform(on: store, edited) { edit, items in
            let changed = edit.changed(items) { setting.apply(to: &$0) }
            let words = "\(described(changed.upserts)): \(setting.words.joined(separator: "; "))"
            var plan = ListEdit.Plan(
                report: "Set \(words).",
                purpose: ListEdit.Purpose(words: "set \(words)", items: changed.upserts))
            plan.changes.items = changed
            return plan
        }
    }
}

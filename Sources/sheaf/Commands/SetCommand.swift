import ArgumentParser
import SheafList
import SheafStorage

/// `sheaf set`: a name, a note, days, a repeat and a priority for items.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the due dates, repeats, priorities, names and notes of items.",
        usage: """
            sheaf set [--store <url>] [--due <day>] [--scheduled <day>] [--repeat <rule>] [--priority <letter>] \
            [--name <name>] [--note <text>] \(ItemArguments.usage)
            """,
        discussion: """
            Fields that are not named stay as they are. The value none clears --due, --scheduled, --repeat and \
            --priority. If one id is wrong, nothing is changed.

            Days are typed as people say them: today, tomorrow, fri, next mon, 15, 15dec, 2026-12-01, 3d, 2w, in 3 \
            days, eow, eom, eoy; a repeat as 2w (two weeks after the item is done), +2w (after it was due), month, \
            weekday or every 3 days. 'sheaf done' adds the next occurrence of a repeating item.

            \(ItemArguments.help)

            For example:
              sheaf set 9b2f --due fri --priority A
              sheaf set 03ac --due 2026-12-31 --repeat +1m
              sheaf set --where "is:overdue @home" --due today
              sheaf list --ids +garden | sheaf set --scheduled none -
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var fields: FieldOptions

    @Option(help: ArgumentHelp("A new name, for one item.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("A new note, in place of the old one; '' for none.", valueName: "text")
    )
    var note: String?

    @OptionGroup var items: ItemArguments

    func validate() throws {
        guard try !fields.values().settings.isEmpty || name != nil || note != nil else {
            throw ValidationError(
                "Say what to set: --due, --scheduled, --repeat, --priority, --name or --note.")
        }
        guard name?.allSatisfy(\.isWhitespace) != true else {
            throw ValidationError("The name of an item cannot be blank.")
        }
    }

    func run() throws {
        let edited = try items.edited()
        let values = try fields.values()
        try ListEdit.perform(on: store, edited) { [name, note] edit, items in
            guard name == nil || items.count < 2 else {
                throw CommandFailure(.usage, "--name is for one item, and these are \(items.count)")
            }
            let changed = edit.changed(items) { item in
                values.apply(to: &item)
                if let name { item.name = name }
                if let note { item.note = note }
            }
            let said =
                values.words + (name.map { ["name \(quoted($0))"] } ?? [])
                + (note.map { [$0.isEmpty ? "no note" : "new note"] } ?? [])
            let subject = described(name == nil ? changed.upserts : items)
            let words = "\(subject): \(said.joined(separator: "; "))"
            var plan = ListEdit.Plan(
                report: "Set \(words).",
                purpose: ListEdit.Purpose(words: "set \(words)", items: changed.upserts))
            plan.changes.items = changed
            return plan
        }
    }
}

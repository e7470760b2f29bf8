import ArgumentParser
import SheafList

/// `sheaf tag remove`: takes a tag off items.
struct TagRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        _superCommandName: "sheaf tag",
        abstract: "Remove a tag from items.",
        usage: "sheaf tag remove [--store <url>] <tag> \(ItemArguments.usage)",
        discussion: """
            The tag itself stays, even if no item has it any more. If one id is wrong, nothing is changed.

            \(ItemArguments.help)

            For example:
              sheaf tag remove book 9b2f 03ac
              sheaf tag remove book --where "+film is:done"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @OptionGroup var items: ItemArguments

    func run() throws {
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { [tag] edit, items in
            let tag = try await edit.tags().tag(tag)
            let changed = edit.changed(items, by: [.tag(tag.id, isOn: false)])
            let words = "\(quoted(tag.name)) from \(described(changed.upserts))"
            var plan = ListEdit.Plan(
                report: "Removed \(words).",
                purpose: ListEdit.Purpose(words: "remove \(words)", items: changed.upserts))
            plan.changes.items = changed
            return plan
        }
    }
}

import ArgumentParser
import SheafCore

/// `sheaf tag remove`: takes a tag off items.
struct TagRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        _superCommandName: "sheaf tag",
        abstract: "Remove a tag from items.",
        discussion: """
            The tag itself stays, even if no item has it any more. If one id is wrong, nothing is changed.

            For example:
              sheaf tag remove book 9b2f 03ac
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @OptionGroup var items: ItemArguments

    func run() throws {
        let references = try items.references()
        try ListEdit.perform(on: store) { [tag] edit in
            let items = try await edit.items.items(references)
            let tag = try await edit.tags().tag(tag)
            let changed = edit.changed(items) { $0.tags.remove(tag.id) }
            var plan = ListEdit.Plan(
                report: "Removed \(quoted(tag.name)) from \(described(changed.upserts)).")
            plan.changes.items = changed
            return plan
        }
    }
}

import ArgumentParser
import SheafCore

/// `sheaf delete`: takes items out of the list.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        _superCommandName: "sheaf",
        abstract: "Delete items.",
        discussion: """
            Items are deleted without a question, and this cannot be undone. If one id is wrong, nothing is deleted.

            For example:
              sheaf delete 9b2f
              sheaf list draft --format json | jq -r '.[].id' | sheaf delete -
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var items: ItemArguments

    func run() throws {
        let references = try items.references()
        try ListEdit.perform(on: store) { edit in
            let items = try await edit.items.items(references)
            var plan = ListEdit.Plan(report: "Deleted \(described(items)).")
            for item in items { plan.changes.items.delete(item) }
            return plan
        }
    }
}

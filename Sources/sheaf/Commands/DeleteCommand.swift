import ArgumentParser
import SheafList

/// `sheaf delete`: takes items out of the list.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        _superCommandName: "sheaf",
        abstract: "Delete items.",
        usage: "sheaf delete [--store <url>] \(ItemArguments.usage)",
        discussion: """
            Items named by id are deleted without asking, and this cannot be undone. If one id is \
            wrong, nothing is deleted. What another process edits meanwhile is kept, and the exit status is 1.

            \(ItemArguments.help)

            For example:
              sheaf delete 9b2f
              sheaf list --ids draft | sheaf delete -
              sheaf delete --where "done:<2025" --yes
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var items: ItemArguments

    func run() throws {
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { _, items in
            var plan = ListEdit.Plan(
                report: "Deleted \(described(items)).",
                purpose: ListEdit.Purpose(
                    words: "delete \(described(items))", items: items, isDeletion: true))
            plan.reportOfResult = { result in
                let kept = result.keptIDs
                let items = items.filter { !kept.contains($0.id) }
                return items.isEmpty ? "Deleted nothing." : "Deleted \(described(items))."
            }
            for item in items { plan.changes.items.delete(item) }
            return plan
        }
    }
}

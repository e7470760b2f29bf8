import ArgumentParser
import SheafCore

/// `sheaf done`: marks items done, or not done.
struct DoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        _superCommandName: "sheaf",
        abstract: "Mark items as done, or with --undo as not done.",
        discussion: """
            An item that is already done keeps its time. If one id is wrong, nothing is changed.

            For example:
              sheaf done 9b2f 03ac
              sheaf list milk --format json | jq -r '.[].id' | sheaf done -
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Mark the items as not done.")
    var undo = false

    @OptionGroup var items: ItemArguments

    func run() throws {
        let references = try items.references()
        try ListEdit.perform(on: store) { [undo] edit in
            let items = try await edit.items.items(references)
            let changed = edit.changed(items) { item in
                if item.isDone == undo { item.doneAt = undo ? nil : edit.now }
            }
            let state = undo ? "not done" : "done"
            var plan = ListEdit.Plan(report: "Marked \(described(changed.upserts)) \(state).")
            plan.changes.items = changed
            return plan
        }
    }
}

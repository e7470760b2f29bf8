import ArgumentParser
import SheafList

/// `sheaf rename`: a new name for an item.
struct RenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        _superCommandName: "sheaf",
        abstract: "Rename an item.",
        discussion: """
            The first column of 'sheaf list --format table' shows the ids.

            For example:
              sheaf rename 9b2f "Thinking in Systems, 2nd edition"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The id of the item, or at least its first 4 digits.")
    var id: String

    @Argument(help: "The new name; quote a name with spaces.")
    var name: String

    func validate() throws {
        guard !name.allSatisfy(\.isWhitespace) else {
            throw ValidationError("The name of an item cannot be blank.")
        }
    }

    func run() throws {
        let reference = try ItemReference(id)
        try ListEdit.perform(on: store) { [name] edit in
            let item = try await edit.items.item(reference)
            var plan = ListEdit.Plan(report: "Renamed \(quoted(item.name)) to \(quoted(name)).")
            plan.changes.items = edit.changed([item], by: [.name(name)])
            return plan
        }
    }
}

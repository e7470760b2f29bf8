import ArgumentParser
import SheafList

/// `sheaf view rename`: a new name for a saved view.
struct ViewRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        _superCommandName: "sheaf view",
        abstract: "Rename a saved view.",
        discussion: """
            A name that another view has is refused.

            For example:
              sheaf view rename unread "to read"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the view, or the first digits of its id.")
    var old: String

    @Argument(help: "The new name.")
    var new: String

    func run() throws {
        _ = try ViewLookup.name(new)
        try ListEdit.perform(on: store) { [old, new] edit in
            let lookup = try await edit.views()
            let view = try lookup.view(old)
            let name = try lookup.freeName(new, for: view.id)
            var plan = ListEdit.Plan(
                report: "Renamed view \(quoted(view.name)) to \(quoted(name)).")
            if !view.name.utf8.elementsEqual(name.utf8) {
                var renamed = view
                renamed.name = name
                plan.reportOfResult = { [renamed] in
                    "Renamed view \(quoted(view.name)) to \(quoted($0.storedName(of: renamed)))."
                }
                plan.changes.views.replace(view, with: renamed)
            }
            return plan
        }
    }
}

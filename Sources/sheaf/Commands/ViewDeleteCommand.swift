import ArgumentParser
import SheafList

/// `sheaf view delete`: takes saved views out of the list.
struct ViewDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        _superCommandName: "sheaf view",
        abstract: "Delete saved views; no item is changed.",
        discussion: """
            Sheaf does not ask first, and there is no undo. If one of the views does not exist, nothing is deleted.

            For example:
              sheaf view delete unread
            """)

    @OptionGroup var store: StoreOptions

    @Argument(
        help: ArgumentHelp(
            "The name of a view, or the first digits of its id.", valueName: "view"))
    var views: [Words]

    func run() throws {
        try ListEdit.perform(on: store) { [views = views.texts] edit in
            let views = try await edit.views().views(views)
            let names = views.map { quoted($0.name) }.joined(separator: ", ")
            var plan = ListEdit.Plan(
                report: "Deleted view\(views.count == 1 ? "" : "s") \(names).")
            for view in views { plan.changes.views.delete(view) }
            return plan
        }
    }
}

import ArgumentParser
import SheafList
import Swidux

/// `sheaf view move`: another place for a saved view.
struct ViewMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        _superCommandName: "sheaf view",
        abstract: "Move a saved view directly before or after another one.",
        discussion: """
            For example:
              sheaf view move unread --before garden
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("The view to move it before.", valueName: "view"))
    var before: String?

    @Option(help: ArgumentHelp("The view to move it after.", valueName: "view"))
    var after: String?

    @Argument(help: "The name of the view, or the first digits of its id.")
    var view: String

    func validate() throws {
        guard (before == nil) != (after == nil) else {
            throw ValidationError(
                before == nil
                    ? "Give --before or --after another view."
                    : "Give either --before or --after, not both.")
        }
    }

    func run() throws {
        try ListEdit.perform(on: store) { [before, after, view] edit in
            let lookup = try await edit.views()
            let view = try lookup.view(view)
            let target = try lookup.view(before ?? after ?? "")
            var moved = EntityStore(lookup.views)
            if before != nil {
                moved.move(view.id, before: target.id)
            } else {
                moved.move(view.id, after: target.id)
            }
            let side = before == nil ? "after" : "before"
            var plan = ListEdit.Plan(
                report: "Moved view \(quoted(view.name)) \(side) \(quoted(target.name)).")
            guard moved.map(\.id) != lookup.views.map(\.id) else { return plan }
            for old in lookup.views {
                if let new = moved[old.id], new != old {
                    plan.changes.views.replace(old, with: new)
                }
            }
            return plan
        }
    }
}

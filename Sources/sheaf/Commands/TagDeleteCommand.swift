import ArgumentParser
import SheafCore

/// `sheaf tag delete`: takes tags off all items and out of the list.
struct TagDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        _superCommandName: "sheaf tag",
        abstract: "Delete tags, and remove them from their items.",
        discussion: """
            The items stay. There is no question, and no undo. If one of the tags does not exist, nothing is deleted.

            For example:
              sheaf tag delete novel story
            """)

    @OptionGroup var store: StoreOptions

    @Argument(
        help: ArgumentHelp(
            "The name of a tag, or the first digits of its id.", valueName: "tag"))
    var tags: [Words]

    func run() throws {
        try ListEdit.perform(on: store) { [tags = tags.texts] edit in
            let tags = try await edit.tags().tags(tags)
            let ids = Set(tags.map(\.id))
            let changed = try await edit.changedItems { $0.tags.subtract(ids) }
            let views = try await edit.views().views.filter { $0.tag.map(ids.contains) ?? false }
            let names = tags.map { quoted($0.name) }.joined(separator: ", ")
            let others = views.isEmpty ? "" : " and \(counted(views.count, "view"))"
            var plan = ListEdit.Plan(
                report: "Deleted tag\(tags.count == 1 ? "" : "s") \(names):"
                    + " \(counted(changed.count, "item"))\(others) changed.")
            plan.changes.items = changed
            for tag in tags { plan.changes.tags.delete(tag) }
            return plan
        }
    }
}

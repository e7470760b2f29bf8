import ArgumentParser
import SheafCore

/// `sheaf tag add`: puts a tag on items.
struct TagAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        _superCommandName: "sheaf tag",
        abstract: "Add a tag to items; a missing tag is created.",
        discussion: """
            If one id is wrong, nothing is changed.

            For example:
              sheaf tag add book 9b2f 03ac
              sheaf list systems --format json | jq -r '.[].id' | sheaf tag add theory -
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or its whole id.")
    var tag: String

    @OptionGroup var items: ItemArguments

    func run() throws {
        _ = try TagLookup.name(tag)
        let references = try items.references()
        try ListEdit.perform(on: store) { [tag] edit in
            let items = try await edit.items.items(references)
            let (tag, isNew) = try await edit.tags().tagOrNew(tag)
            let changed = edit.changed(items) { $0.tags.insert(tag.id) }
            var plan = ListEdit.Plan(
                report: "Tagged \(described(changed.upserts)) \(quoted(tag.name)).")
            plan.changes.items = changed
            if isNew && !changed.isEmpty { plan.changes.tags.upserts = [tag] }
            return plan
        }
    }
}

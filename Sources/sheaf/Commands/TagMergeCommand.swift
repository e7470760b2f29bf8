import ArgumentParser
import SheafList

/// `sheaf tag merge`: makes one tag of several.
struct TagMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        _superCommandName: "sheaf tag",
        abstract: "Merge several tags into one.",
        usage: "sheaf tag merge [--store <url>] <from> ... <into>",
        discussion: """
            Items, saved views and their queries that have one of the tags get the last one instead; the other \
            tags are deleted.

            For example:
              sheaf tag merge novel story book
            """)

    @OptionGroup var store: StoreOptions

    @Argument(
        help: ArgumentHelp(
            "The tags to merge, and last the tag to keep, by name or by the first digits of the id.",
            valueName: "tag"))
    var tags: [Words]

    func validate() throws {
        guard tags.texts.count >= 2 else {
            throw ValidationError("Name the tags to merge, and last the tag to keep.")
        }
    }

    func run() throws {
        try ListEdit.perform(on: store) { [tags = tags.texts] edit in
            let lookup = try await edit.tags()
            let into = try lookup.tag(tags[tags.count - 1])
            let from = try lookup.tags(tags.dropLast())
            let ids = Set(from.map(\.id))
            guard !ids.contains(into.id) else {
                throw CommandFailure(
                    .usage,
                    "\(quoted(into.name)) cannot be merged into itself. Nothing was changed.")
            }
            let changed = try await edit.changedItems { item in
                guard !item.tags.isDisjoint(with: ids) else { return }
                item.tags.subtract(ids)
                item.tags.insert(into.id)
            }
            let names = from.map { quoted($0.name) }.joined(separator: ", ")
            var plan = ListEdit.Plan(
                report: "Merged \(names) into \(quoted(into.name)):"
                    + " \(counted(changed.count, "item")) changed.")
            plan.changes.items = changed
            let substitutes = Dictionary(from.map { ($0.id, into.id) }) { $1 }
            let renaming = TagRenaming(
                from: lookup.tags, to: lookup.tags.filter { !ids.contains($0.id) },
                merged: substitutes)
            plan.changes.views = try await edit.changedViews(by: renaming) {
                $0.replacingTag(substitutes)
            }
            for tag in from { plan.changes.tags.delete(tag) }
            return plan
        }
    }
}

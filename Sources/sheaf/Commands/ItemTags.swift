import ArgumentParser
import SheafList

/// `sheaf tag add`: adds a tag to items.
struct TagAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a tag to items; a missing tag is created.",
        usage: "sheaf tag add [--store <url>] <tag> \(ItemArguments.usage)",
        discussion: """
            If one id is wrong, nothing is changed.

            \(ItemArguments.help)

            For example:
              sheaf tag add book 9b2f 03ac
              sheaf list --ids systems | sheaf tag add theory -
              sheaf tag add theory --where "systems is:untagged"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or its whole id.")
    var tag: String

    @OptionGroup var items: ItemArguments

    func run() throws {
        _ = try TagLookup.name(tag)
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { [tag] edit, items in
            let lookup = try await edit.tags()
            let (tag, isNew) = try lookup.tagOrNew(tag)
            let changed = edit.changed(items, by: [.add(tag)])
            let words = described(changed.upserts)
            var plan = ListEdit.Plan(
                report: "Added the tag \(quoted(tag.name)) to \(words).",
                purpose: ListEdit.Purpose(
                    words: "add the tag \(quoted(tag.name)) to \(words)", items: changed.upserts))
            plan.changes.items = changed
            plan.isComplete = { $0.items(without: tag.id).isEmpty }
            plan.reportOfResult = { result in
                let without = result.items(without: tag.id)
                let tagged = changed.upserts.filter { !without.contains($0.id) }
                return tagged.isEmpty
                    ? "Nothing was changed."
                    : "Added the tag \(quoted(tag.name)) to \(described(tagged))."
            }
            if isNew && !changed.isEmpty { plan.changes.tags.append([tag], after: lookup.tags) }
            return plan
        }
    }
}

/// `sheaf tag remove`: removes a tag from items.
struct TagRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a tag from items.",
        usage: "sheaf tag remove [--store <url>] <tag> \(ItemArguments.usage)",
        discussion: """
            The tag itself stays, even if no item has it any more. If one id is wrong, nothing is changed.

            \(ItemArguments.help)

            For example:
              sheaf tag remove book 9b2f 03ac
              sheaf tag remove book --where "+film is:done"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @OptionGroup var items: ItemArguments

    func run() throws {
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { [tag] edit, items in
            let tag = try await edit.tags().tag(tag)
            let changed = edit.changed(items, by: [.remove(tag)])
            let words = "\(quoted(tag.name)) from \(described(changed.upserts))"
            var plan = ListEdit.Plan(
                report: "Removed \(words).",
                purpose: ListEdit.Purpose(words: "remove \(words)", items: changed.upserts))
            plan.changes.items = changed
            return plan
        }
    }
}

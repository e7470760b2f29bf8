import ArgumentParser
import SheafList

/// `sheaf tag merge`: makes one tag of several.
struct TagMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
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
        try ListEdit.perform(on: store) { [tags = tags.texts] in try await Self.plan(tags, $0) }
    }

    /// The edit that merges `tags` into the last of them.
    static func plan(_ tags: [String], _ edit: ListEdit) async throws -> ListEdit.Plan {
        let lookup = try await edit.tags()
        let into = try lookup.tag(tags[tags.count - 1])
        let from = try lookup.tags(tags.dropLast())
        let ids = Set(from.map(\.id))
        guard !ids.contains(into.id) else {
            throw CommandFailure(
                .usage,
                "\(quoted(into.name)) cannot be merged into itself. Nothing was changed.")
        }
        func merge(_ item: inout Item) {
            guard !item.tags.isDisjoint(with: ids) else { return }
            item.tags.subtract(ids)
            item.tags.insert(into.id)
        }
        var changed = try await edit.changedItems(by: merge)
        // As if none had the tag yet: so it goes on each, also where another process takes it off.
        for id in changed.ids { changed[id]?.before?.tags.remove(into.id) }
        var plan = ListEdit.Plan(report: "")
        plan.changes.items = changed
        let substitutes = Dictionary(from.map { ($0.id, into.id) }) { $1 }
        let renaming = TagRenaming(
            from: lookup.tags, to: lookup.tags.filter { !ids.contains($0.id) },
            merged: substitutes)
        plan.changes.views = try await edit.changedViews(by: renaming) {
            $0.replacingTag(substitutes)
        }
        for tag in from { plan.changes.tags.delete(tag) }
        // An edit of it, so that it comes back if another process deletes it now.
        plan.changes.tags.replace(into, with: into)
        plan.next = { result in
            // Items on which another process has put one of the tags meanwhile.
            let taken = result.conflicts.compactMap { conflict in
                if case .tookReference(let tag) = conflict.outcome,
                    tag.value(as: Tag.ID.self).map(ids.contains) ?? false
                {
                    return conflict.id.value(as: Item.ID.self)
                }
                return nil
            }
            guard !taken.isEmpty else { return StorageChanges() }
            var next = StorageChanges()
            next.items = edit.changed(try await edit.storage.loadItems(ids: taken)) {
                $0.tags.insert(into.id)
            }
            next.tags.replace(into, with: into)
            return next
        }
        let count = changed.count
        plan.reportOfResult = { result in
            let kept = result.keptIDs
            let gone = from.filter { !kept.contains($0.id) }.map { quoted($0.name) }
            let items = counted(count, "item")
            return gone.isEmpty
                ? "Added \(quoted(into.name)) to \(items)."
                : "Merged \(gone.joined(separator: ", ")) into \(quoted(into.name)): \(items) changed."
        }
        return plan
    }
}

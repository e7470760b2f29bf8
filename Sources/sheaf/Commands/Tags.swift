import ArgumentParser
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SheafStorage
import SheafTUI
import Terminal

/// `sheaf tag`: manages the tags of the list and of its items.
struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Add tags to items, and edit the tags themselves.",
        discussion: """
            Name a tag by its name, in upper or lower case, with or without #, or by the first digits of its id. \
            A name also finds the tag that has it after + or @, if there is only one: roof finds +roof. Most shells \
            need quotes around a #. Without a command it lists the tags.

            For example:
              sheaf tag add book 9b2f 03ac
              sheaf tag rename book books
              sheaf tag merge novel story books
            """,
        subcommands: [
            TagListCommand.self, TagAddCommand.self, TagRemoveCommand.self, TagRenameCommand.self,
            TagRecolorCommand.self, TagMergeCommand.self, TagDeleteCommand.self,
        ],
        defaultSubcommand: TagListCommand.self)
}

/// `sheaf tag list`: prints the tags, for people and for pipes.
struct TagListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the tags, in their order.",
        discussion: """
            Formats: table, with the color and the number of items; lines, one name per line; json, an array \
            of objects with color, id, items (their number) and name. The default is table on a terminal, and lines \
            in a pipe or a file.

            For example:
              sheaf tag list
              sheaf tag list --format json
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: "table, json or lines.")
    var format: NameListStyle?

    func run() throws {
        let style = format ?? .standard
        let (tags, counts) = try store.reading { list in
            var counts: [Tag.ID: Int] = [:]
            if style != .lines {
                try await list.storage.readPages { page in
                    for item in page { for tag in item.tags { counts[tag, default: 0] += 1 } }
                    return true
                }
            }
            return (try await list.storage.loadTags(), counts)
        }
        try style.print(
            names: tags.map(\.name), table: { Self.table(tags, counts) },
            json: { tags.map { Self.object(for: $0, count: counts[$0.id, default: 0]) } })
    }

    private static func table(_ tags: [Tag], _ counts: [Tag.ID: Int]) -> String {
        let terminal = TableWriter.TerminalTraits.ofStandardOutput()
        let colorColumns = TagColor.allCases.map(\.rawValue.count).max() ?? 0
        let numbers = tags.map { String(counts[$0.id, default: 0]) }
        let numberColumns = numbers.map(\.count).max() ?? 0
        let room = terminal.columns.map { max($0 - colorColumns - numberColumns - 4, 2) } ?? .max
        let names = tags.map { DisplayText.truncated($0.label, to: room) }
        let nameColumns = names.map { DisplayText.width(of: $0) }.max() ?? 0
        return zip(tags, zip(names, numbers)).map { tag, cells in
            let (name, number) = cells
            return terminal.styled(name, Theme.tag(tag.color))
                + padding(nameColumns - DisplayText.width(of: name) + 2)
                + tag.color.rawValue.padded(to: colorColumns + 2)
                + padding(numberColumns - number.count) + number + "\n"
        }
        .joined()
    }

    private static func object(for tag: Tag, count: Int) -> String {
        "{\"color\": \"\(tag.color.rawValue)\", \"id\": \"\(tag.id.uuidString.lowercased())\","
            + " \"items\": \(count), \"name\": \(JSONText.quoted(tag.name))}"
    }
}

/// `sheaf tag recolor`: changes the color of a tag.
struct TagRecolorCommand: ParsableCommand {
    private static let colors = TagColor.allCases.map(\.rawValue).joined(separator: ", ")

    static let configuration = CommandConfiguration(
        commandName: "recolor",
        abstract: "Change the color of a tag.",
        discussion: """
            The colors are \(colors).

            For example:
              sheaf tag recolor book green
            """,
        aliases: ["recolour"])

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @Argument(help: "The color.")
    var color: TagColor

    func run() throws {
        try ListEdit.perform(on: store) { [tag, color] edit in
            let tag = try await edit.tags().tag(tag)
            var plan = ListEdit.Plan(report: "Made \(quoted(tag.name)) \(color.rawValue).")
            if tag.color != color {
                var recolored = tag
                recolored.color = color
                plan.changes.tags.replace(tag, with: recolored)
            }
            return plan
        }
    }
}

extension TagColor: ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

/// `sheaf tag rename`: renames a tag.
struct TagRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a tag.",
        discussion: """
            Its items keep it, and the queries of saved views ask for it by the new name. If the new name has a \
            space, words such as #book in a text lose their sign, and renaming back does not restore it. A name that \
            another tag has is refused; merge joins two tags.

            For example:
              sheaf tag rename book books
            """)

    @OptionGroup var store: StoreOptions

    @Argument(
        help: ArgumentHelp("The name of the tag, or the first digits of its id.", valueName: "tag"))
    var old: String

    @Argument(help: "The new name.")
    var new: String

    func run() throws {
        let name = try TagLookup.name(new)
        try ListEdit.perform(on: store) { [old] edit in
            let lookup = try await edit.tags()
            let tag = try lookup.tag(old)
            var renamed = tag
            renamed.name = name
            var plan = ListEdit.Plan(report: "Renamed tag \(quoted(tag.name)) to \(quoted(name)).")
            guard !tag.name.utf8.elementsEqual(name.utf8) else { return plan }
            let views = try await edit.storage.loadViews()
            var plainNames = 0
            plan.changes.items = try await edit.changedItems { item in
                if renamed.word == nil, item.hasWord(for: tag) { plainNames += 1 }
                item.replace(tag, with: renamed)
            }
            if plainNames > 0 {
                plan.note =
                    "\(quoted(tag.label)) lost its sign in the text of"
                    + " \(counted(plainNames, "item")), because \(quoted(name)) is not one word."
                    + " Renaming the tag back does not restore it."
            }
            try plan.changes.rename(tag, to: renamed, among: lookup.tags, in: views)
            return plan
        }
    }
}

/// `sheaf tag merge`: merges several tags into one.
struct TagMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge several tags into one.",
        usage: "sheaf tag merge [--store <url>] <from> ... <into>",
        discussion: """
            In items, saved views and their queries, the last tag replaces the others; the other \
            tags are deleted. A query that asks for one of the tags and excludes another then only asks for the \
            last one. The views that change are named. Sheaf does not ask first, and there is no undo.

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

    /// Returns the edit that merges `tags` into the last of them.
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
        var changed = try await edit.changedItems { item in
            for tag in from { item.replace(tag, with: into) }
        }
        // Removes the tag from the previous values, so that each item gets it even if another
        // process removes it meanwhile.
        for id in changed.ids { changed[id]?.before?.tags.remove(into.id) }
        var plan = ListEdit.Plan(report: "")
        plan.changes.items = changed
        let views = try await edit.storage.loadViews()
        try plan.changes.merge(from, into: into, among: lookup.tags, in: views)
        plan.note = note(on: views, changedBy: plan.changes)
        plan.next = { result in
            // The items and views to which another process has meanwhile added one of the tags.
            let taken = result.conflicts.compactMap { conflict in
                if case .tookReference(let tag) = conflict.outcome,
                    tag.value(as: Tag.ID.self).map(ids.contains) ?? false
                {
                    return conflict.id.value(as: UUID.self)
                }
                return nil
            }
            guard !taken.isEmpty else { return StorageChanges() }
            var next = StorageChanges()
            next.items = edit.changed(
                try await edit.storage.loadItems(ids: taken), by: [.add(into)])
            for view in try await edit.storage.loadViews() where taken.contains(view.id) {
                var tagged = view
                tagged.tag = into.id
                next.views.replace(view, with: tagged)
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

extension TagMergeCommand {
    /// The maximum number of views that the message names.
    private static let shownViews = 3

    /// Returns the message about the views whose queries change, and about undo.
    private static func note(on views: [SavedView], changedBy changes: StorageChanges) -> String {
        let changed = views.compactMap { view -> String? in
            guard let query = changes.views[view.id]?.after?.query, query != view.query else {
                return nil
            }
            return "View \(quoted(view.name)) now asks for \(shortenedInput(query))."
        }
        let more = changed.count - shownViews
        let others = more > 0 ? ["\(counted(more, "other view")) changed, too."] : []
        return (changed.prefix(shownViews) + others + ["There is no undo of a merge."])
            .joined(separator: " ")
    }
}

/// `sheaf tag delete`: removes tags from all items and deletes them from the list.
struct TagDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete tags, and remove them from their items.",
        discussion: """
            The items stay, and so do saved views: one that chose a tag then shows the items of all tags. Such views are \
            named, and so are those whose queries name one of the tags. Sheaf does not ask first, and there is no \
            undo. If one of the tags does not exist, nothing is deleted.

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
            let lookup = try await edit.tags()
            let tags = try lookup.tags(tags)
            let ids = Set(tags.map(\.id))
            let changed = try await edit.changedItems { item in tags.forEach { item.remove($0) } }
            let all = try await edit.views().views
            let views = all.filter { $0.tag.map(ids.contains) ?? false }
            let others = views.isEmpty ? "" : " and \(counted(views.count, "view"))"
            let tagless = SavedView.sentence(onTagless: views).map { " \($0)." } ?? ""
            let end =
                " \(counted(changed.count, "item"))\(others) changed.\(tagless)"
                + Self.sentence(on: all, naming: ids, among: lookup.tags)
            var plan = ListEdit.Plan(report: "")
            plan.reportOfResult = { $0.sentence(onDeletionOf: tags, end: ":\(end)") }
            plan.changes.items = changed
            for view in views {
                plan.changes.views.replace(view, with: view.withoutTag(where: ids.contains))
            }
            for tag in tags { plan.changes.tags.delete(tag) }
            return plan
        }
    }

    /// The maximum number of views that a message names.
    private static let shownViews = 3

    /// Returns a sentence about the views whose queries name these tags, or an empty text if there
    /// is none.
    private static func sentence(
        on views: [SavedView], naming ids: Set<Tag.ID>, among tags: [Tag]
    ) -> String {
        let naming = views.compactMap { view in
            let words = view.words(for: ids, among: tags)
            return words.isEmpty ? nil : (quoted(view.name), words.map(shortenedInput))
        }
        guard let (name, words) = naming.first else { return "" }
        let first = " View \(name) still names \(words.joined(separator: " and "))"
        let others = naming.prefix(shownViews).dropFirst().map { name, words in
            ", \(name) \(words.joined(separator: " and "))"
        }
        let more = naming.count - shownViews
        return first + others.joined() + (more > 0 ? ", and \(more) more do." : ".")
    }
}

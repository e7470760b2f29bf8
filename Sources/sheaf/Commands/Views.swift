import ArgumentParser
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SheafStorage
import Swidux
import Terminal

/// `sheaf view`: manages the saved views of the list.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "List and edit saved views: a query and a sort under a name.",
        discussion: """
            Name a view by its name, in upper or lower case, or by the first digits of its id. Without a command it \
            lists the views.

            For example:
              sheaf view add unread "#book NOT is:done"
              sheaf view rename unread "to read"
              sheaf view move "to read" --before garden
            """,
        subcommands: [
            ViewListCommand.self, ViewAddCommand.self, ViewRenameCommand.self,
            ViewMoveCommand.self, ViewDeleteCommand.self,
        ],
        defaultSubcommand: ViewListCommand.self)
}

/// `sheaf view list`: prints the saved views, for people and for pipes.
struct ViewListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the saved views, in their order.",
        discussion: """
            Formats: table, with what each view shows; lines, one name per line; json, an array of objects with the \
            keys \(json.keys.joined(separator: ", ")). The default is table on a terminal, and lines in a pipe or a \
            file.

            For example:
              sheaf view list
              sheaf view list --format json
            """)

    private static let json = EntityJSON(SavedView.fields.filter { $0.name != "rank" })

    @OptionGroup var store: StoreOptions

    @Option(help: "table, json or lines.")
    var format: NameListStyle?

    func run() throws {
        let style = format ?? .standard
        let (views, tags) = try store.reading { list in
            (try await list.storage.loadViews(), try await list.storage.loadTags())
        }
        try style.print(
            names: views.map(\.name), table: { Self.table(views, tags) },
            json: { views.map { Self.object(for: $0, tags) } })
    }

    private static func table(_ views: [SavedView], _ tags: [Tag]) -> String {
        let columns = TableWriter.TerminalTraits.ofStandardOutput().columns ?? .max
        let names = views.map { DisplayText.truncated($0.name, to: max(columns / 2, 2)) }
        let nameColumns = names.map { DisplayText.width(of: $0) }.max() ?? 0
        return zip(views, names).map { view, name in
            let contents = contents(of: view, tags).joined(separator: ", ")
            let rest = DisplayText.truncated(contents, to: max(columns - nameColumns - 2, 2))
            return name.padded(to: nameColumns + 2) + rest + "\n"
        }
        .joined()
    }

    /// Returns the description of a view in words.
    private static func contents(of view: SavedView, _ tags: [Tag]) -> [String] {
        var words: [String] = []
        switch view.choice {
        case .all: break
        case .untagged: words.append("untagged")
        case .tag(let id): words += tags.filter { $0.id == id }.map(\.label)
        }
        if !view.query.isEmpty { words.append(view.query) }
        if words.isEmpty { words.append("all items") }
        if view.hidesDone { words.append("without done items") }
        if view.sort == .manual, view.isReversed {
            words.append("in the manual order, reversed")
        } else if view.sort != .manual {
            words.append("by \(view.sort.rawValue)\(view.reversesRows ? ", reversed" : "")")
        }
        return words
    }

    private static func object(for view: SavedView, _ tags: [Tag]) -> String {
        var bytes: [UInt8] = []
        let names = tags.filter { $0.id == view.tag }.map { JSONText.quoted($0.name) }
        json.append(view, to: &bytes, tags: { _ in names.map { Array($0.utf8) } })
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// `sheaf view add`: adds a saved view.
struct ViewAddCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Save a query and a sort under a name, as the last view.",
        discussion: """
            An existing view with this name is left unchanged. 'sheaf help list' explains queries.

            For example:
              sheaf view add unread "#book" -is:done
              sheaf view add recent --hide-done --sort changed
            """)

    static let wordsBefore = 1

    @OptionGroup var store: StoreOptions

    @Option(help: "The tag that the view chooses, by its name or the first digits of its id.")
    var tag: String?

    @Flag(help: "Choose the items without a tag.")
    var untagged = false

    @Flag(help: "Hide done items.")
    var hideDone = false

    @Option(help: ArgumentHelp("What to sort by.", valueName: "key"))
    var sort = ItemSort.manual

    @Flag(help: "Sort in reverse.")
    var reverse = false

    @Argument(help: "The name of the view.")
    var name: String

    @Argument(help: "The query; all items without one.")
    var query: [Words] = []

    func validate() throws {
        guard tag == nil || !untagged else {
            throw ValidationError("Give either --tag or --untagged, not both.")
        }
    }

    func run() throws {
        _ = try ViewLookup.name(name)
        let text = query.texts.joined(separator: " ").trimmed
        let selection = try ItemSelection(query: text, isStrict: true)
        try ListEdit.perform(on: store) { [name, tag, untagged, hideDone, sort, reverse] edit in
            let lookup = try await edit.views()
            let tags = try await edit.tags()
            // Refuses a query with tags that the list does not have.
            _ = try selection.search(in: tags.tags, now: edit.now)
            let choice =
                try tag.map { TagChoice.tag(try tags.tag($0).id) } ?? (untagged ? .untagged : .all)
            let view = SavedView(
                id: UUID.random(), name: try lookup.freeName(name), query: text, choice: choice,
                hidesDone: hideDone, sort: sort, isReversed: reverse,
                rank: .middle)
            var plan = ListEdit.Plan(report: "Saved view \(quoted(view.name)).")
            plan.reportOfResult = { "Saved view \(quoted($0.storedName(of: view)))." }
            plan.changes.views.append([view], after: lookup.views)
            return plan
        }
    }
}

/// `sheaf view rename`: renames a saved view.
struct ViewRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a saved view.",
        discussion: """
            A name that another view has is refused.

            For example:
              sheaf view rename unread "to read"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(
        help: ArgumentHelp(
            "The name of the view, or the first digits of its id.", valueName: "view"))
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

/// `sheaf view move`: moves a saved view to another place.
struct ViewMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a saved view directly before or after another one.",
        discussion: """
            For example:
              sheaf view move unread --before garden
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var place: PlaceOptions

    @Argument(help: "The name of the view, or the first digits of its id.")
    var view: String

    func run() throws {
        try ListEdit.perform(on: store) { [place, view] edit in
            let lookup = try await edit.views()
            let view = try lookup.view(view)
            let target = try lookup.view(place.other)
            var moved = EntityStore(lookup.views)
            if place.side == .before {
                moved.move(view.id, before: target.id)
            } else {
                moved.move(view.id, after: target.id)
            }
            var plan = ListEdit.Plan(
                report:
                    "Moved view \(quoted(view.name)) \(place.side.rawValue) \(quoted(target.name))."
            )
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

/// `sheaf view delete`: deletes saved views from the list.
struct ViewDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
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
            var plan = ListEdit.Plan(report: "")
            plan.reportOfResult = { $0.sentence(onDeletionOf: views, end: ".") }
            for view in views { plan.changes.views.delete(view) }
            return plan
        }
    }
}

extension ItemSort: ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

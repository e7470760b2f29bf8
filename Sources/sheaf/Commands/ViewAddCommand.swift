import ArgumentParser
import FoundationEssentials
import SheafList

/// `sheaf view add`: a new saved view.
struct ViewAddCommand: QueryCommand {
    private static let sorts = ItemSort.allCases.map(\.rawValue).joined(separator: ", ")

    static let configuration = CommandConfiguration(
        commandName: "add",
        _superCommandName: "sheaf view",
        abstract: "Save a query and a sort under a name, as the last view.",
        discussion: """
            A view that has this name already is left as it is. 'sheaf help list' explains queries.

            For example:
              sheaf view add unread "#book" -is:done
              sheaf view add recent --hide-done --sort changed
            """)

    static let flags: Set = ["--untagged", "--hide-done", "--reverse"]
    static let argumentsBefore = 1

    @OptionGroup var store: StoreOptions

    @Option(help: "The tag that the view chooses, by its name or the first digits of its id.")
    var tag: String?

    @Flag(help: "Choose the items without a tag.")
    var untagged = false

    @Flag(help: "Hide the items that are done.")
    var hideDone = false

    @Option(help: ArgumentHelp("What to sort by: \(sorts).", valueName: "key"))
    var sort: String?

    @Flag(help: "Sort in reverse.")
    var reverse = false

    @Argument(help: "The name of the view.")
    var name: String

    @Argument(help: "The query; none for all items.")
    var query: [Words] = []

    func validate() throws {
        guard tag == nil || !untagged else {
            throw ValidationError("Give either --tag or --untagged, not both.")
        }
    }

    func run() throws {
        _ = try ViewLookup.name(name)
        let sort = try self.sort.map(Self.sort) ?? .manual
        let text = query.texts.joined(separator: " ").trimmed
        try ListEdit.perform(on: store) { [name, tag, untagged, hideDone, reverse] edit in
            let lookup = try await edit.views()
            let tags = try await edit.tags()
            try Self.check(text, tags.tags, now: edit.now)
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

    private static func sort(_ text: String) throws -> ItemSort {
        guard let sort = ItemSort(rawValue: text.lowercased()) else {
            throw CommandFailure(.usage, "\(cited(text)): no such sort; use \(sorts)")
        }
        return sort
    }

    /// Refuses a query that is none, or that names a tag which the list does not have.
    private static func check(_ text: String, _ tags: [Tag], now: Timestamp) throws {
        do throws(QueryError) {
            let query = try Query(text)
            if let misspelling = query.misspellings.first { throw misspelling }
            _ = try ItemSearch(query, tags: tags, now: now, calendar: .system)
        } catch {
            throw CommandFailure(error, in: text)
        }
    }
}

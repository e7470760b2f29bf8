import ArgumentParser
import Glibc
import SheafApp
import SheafFormats
import SheafStorage
import SheafTUI

/// `sheaf list`: the items, for people and for pipes.
struct ListCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: "sheaf",
        abstract: "Print the items, or those that a query finds.",
        discussion: """
            \(QueryArguments.help)

            Formats: table; lines, one name per line; json, an array of objects with the keys \
            \(ListWriter.jsonListKeys.joined(separator: ", ")); markdown, a checklist; todotxt, one task per \
            line. The default is table on a terminal, and lines in a pipe or a file.

            For example:
              sheaf list swift concurrency
              sheaf list @phone is:open --sort created --limit 10
              sheaf list '"exact words" (+book OR +film)' -draft
              sheaf list "due:<1w" --sort due
              sheaf list done:today --format json
              sheaf list --ids milk | sheaf done -
              sheaf list --view unread
            """)

    static let flags = PrintOptions.flags.union(["--reverse"])

    @OptionGroup var store: StoreOptions

    @OptionGroup var printing: PrintOptions

    @OptionGroup var order: SortOptions

    @Option(
        help: ArgumentHelp(
            """
            Print the items of this saved view that the query also finds, in the view's order. Bare words are \
            substrings here, and scheduled items are listed.
            """,
            valueName: "name"))
    var view: String?

    @OptionGroup var query: QueryArguments

    func run() throws {
        let selection = order.applied(to: try query.selection())
        let output = FileOutput()
        try store.reading { [printing, view, options = order] list in
            let storage = list.storage
            let tags = try await storage.loadTags()
            var search = try selection.search(in: tags)
            var order = selection.order(in: tags)
            if let view {
                let saved = try ViewLookup(views: try await storage.loadViews()).view(view)
                search = try saved.found(in: tags).and(search)
                if options.sort == nil {
                    order = ItemOrder(
                        saved.sort, isReversed: saved.reversesRows != options.reverse, tags: tags)
                }
            }
            try await printing.print(search, by: order, of: storage, tags: tags, to: output)
        }
        try output.finish()
    }
}

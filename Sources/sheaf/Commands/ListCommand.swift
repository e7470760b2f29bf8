import ArgumentParser
import Glibc
import SheafCore
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
              sheaf list done:today --format json
              sheaf list --ids milk | sheaf done -
              sheaf list --view unread
            """)

    /// How items are printed.
    enum Style: String, CaseIterable, ExpressibleByArgument {
        case table, json, lines, markdown, todotxt

        /// What prints it, or nil for the table.
        var form: ListWriter.Form? {
            switch self {
            case .table: nil
            case .json: .jsonList
            case .lines: .lines
            case .markdown: .markdown
            case .todotxt: .todotxt
            }
        }
    }

    static let flags: Set = ["--ids", "--reverse"]

    @OptionGroup var store: StoreOptions

    @Option(help: "table, json, lines, markdown or todotxt.")
    var format: Style?

    @Flag(help: "Print only the ids, one per line, for commands that take ids from -.")
    var ids = false

    @OptionGroup var order: SortOptions

    @Option(
        help: ArgumentHelp(
            "Print what this saved view shows, in its order, as far as the query finds it too.",
            valueName: "name"))
    var view: String?

    // Unconditional: -1 is a number that is refused, not an option.
    @Option(
        parsing: .unconditional, help: "Print no more than the first items, once they are sorted.")
    var limit: Int?

    @OptionGroup var query: QueryArguments

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on.") }
        if ids, format != nil { throw ValidationError("Give either --ids or --format, not both.") }
    }

    func run() throws {
        let style = format ?? (FileOutput.isTerminal ? .table : .lines)
        let selection = order.applied(to: try query.selection())
        let storage = try store.open(.readWrite).storage
        let isSorted = order.sort != nil || order.reverse
        try waiting { [ids, limit, view] in
            let tags = try await storage.loadTags()
            var search = try selection.search(in: tags)
            var order = selection.order(in: tags)
            if let view {
                let saved = try ViewLookup(views: try await storage.loadViews()).view(view)
                search = try saved.found(in: tags).and(search)
                if !isSorted {
                    order = ItemOrder(saved.sort, isReversed: saved.isReversed, tags: tags)
                }
            }
            let output = FileOutput()
            if ids {
                try await storage.readItems(search, by: order, .allButTags, limit: limit) {
                    try output.write($0.map { "\($0.id.uuidString.lowercased())\n" }.joined())
                }
            } else if let form = style.form {
                var writer = ListWriter(form, tags: tags) {
                    try output.write(FileOutput.isTerminal ? TerminalText.sanitized($0) : $0)
                }
                let parts: ItemParts = form == .lines ? .allButTags : .all
                try await storage.readItems(search, by: order, parts, limit: limit) {
                    try writer.write($0)
                }
                try writer.finish()
            } else {
                var table = TableWriter(tags: tags, look: .ofStandardOutput(), output: output)
                try await storage.readItems(search, by: order, limit: limit) {
                    try table.write($0)
                }
            }
            await storage.close()
        }
    }
}

import ArgumentParser
import Glibc
import SheafCore
import SheafFormats
import SheafStorage
import SheafTUI

/// `sheaf list`: the items, for people and for pipes.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: "sheaf",
        abstract: "Print the items, in list order.",
        discussion: """
            Formats: table; lines, one name per line; json, an array of objects with the keys \
            \(ListWriter.jsonListKeys.joined(separator: ", ")); markdown, a checklist; todotxt, one task per \
            line. The default is table on a terminal, and lines in a pipe or a file.

            For example:
              sheaf list swift concurrency
              sheaf list --format json --limit 10
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

    @OptionGroup var store: StoreOptions

    @Option(help: "table, json, lines, markdown or todotxt.")
    var format: Style?

    // Unconditional: -1 is a number that is refused, not an option.
    @Option(
        parsing: .unconditional, help: "Print no more than the first items that match.")
    var limit: Int?

    @Argument(help: "Words that the name must contain; upper and lower case are equal.")
    var query: [Words] = []

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on.") }
    }

    func run() throws {
        let style = format ?? (FileOutput.isTerminal ? .table : .lines)
        let filter = ItemFilter(text: query.texts.joined(separator: " "))
        let storage = try store.open(.readWrite).storage
        try waiting { [limit] in
            let tags = try await storage.loadTags()
            let output = FileOutput()
            if let form = style.form {
                var writer = ListWriter(form, tags: tags) {
                    try output.write(FileOutput.isTerminal ? TerminalText.sanitized($0) : $0)
                }
                try await storage.readItems(of: filter, limit: limit) { try writer.write($0) }
                try writer.finish()
            } else {
                var table = TableWriter(tags: tags, look: .ofStandardOutput(), output: output)
                try await storage.readItems(of: filter, limit: limit) { try table.write($0) }
            }
            await storage.close()
        }
    }
}

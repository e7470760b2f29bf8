import ArgumentParser
import SheafList

/// `sheaf count`: how many items a query finds.
struct CountCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        _superCommandName: "sheaf",
        abstract: "Print how many items there are, or how many a query finds.",
        discussion: """
            'sheaf help list' explains queries.

            For example:
              sheaf count
              sheaf count is:open @phone
              sheaf count done:today
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var query: QueryArguments

    func run() throws {
        let selection = try query.selection()
        let count = try store.reading { list in
            let search = try selection.search(in: try await list.storage.loadTags())
            return try await list.storage.count(of: search)
        }
        try FileOutput().write("\(count)\n")
    }
}

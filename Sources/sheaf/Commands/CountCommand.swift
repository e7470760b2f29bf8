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
        let storage = try store.open(.readWrite).storage
        let count = try waiting {
            let search = try selection.search(in: try await storage.loadTags())
            let count = try await storage.count(of: search)
            await storage.close()
            return count
        }
        try FileOutput().write("\(count)\n")
    }
}

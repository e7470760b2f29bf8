import ArgumentParser
import FoundationEssentials
import SheafList
import SheafPostgres

/// `sheaf share create`: makes a list on a server.
struct ShareCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        _superCommandName: "sheaf share",
        abstract: "Create a list of your own on a server.",
        discussion: """
            Prints the URL that opens it. Others do not see it until you invite them.

            For example:
              sheaf share create home --store postgresql://anna@db.example.org/lists
              sheaf share create --store 'postgresql://anna@db.example.org/lists?list=home'
            """)

    @OptionGroup var server: ServerOptions

    @Argument(help: "The name of the list (default: the list in the URL).")
    var name: String?

    func run() throws {
        let url = try server.url()
        guard let name = name ?? url.list else {
            throw CommandFailure(.usage, "the list needs a name: sheaf share create NAME")
        }
        let sharing = try server.sharing()
        try sharing.create(name, views: [.agenda])
        // The name alone may mean another list on this machine.
        let list = url.naming(list: "\(sharing.role)/\(name)")
        try FileOutput().write(Array("\(list)\n".utf8))
        let environment = ProcessInfo.processInfo.environment
        if let former = try sharing.forget(PostgresURL(list, environment: environment)) {
            Diagnostics.report(
                "On this machine that URL led to another list before, which is no longer opened by"
                    + " it: \(former.uuidString.lowercased())")
        }
        if try !isMeant(sharing, by: name) {
            Diagnostics.report(
                "list=\(name) still means another list on this machine. To open the new one by that"
                    + " name: sheaf share use \(ShellText.quoted("\(sharing.role)/\(name)")) --store URL"
            )
        }
    }

    /// Whether the name alone means the new list.
    private func isMeant(_ sharing: PostgresSharing, by name: String) throws -> Bool {
        do {
            return try sharing.meaning(of: name).owner == sharing.role
        } catch let error as StorageError where error.code == .notFound {
            // It means one that is gone.
            return false
        }
    }
}

import ArgumentParser
import FoundationEssentials
import SheafPostgres
import SheafStorage

/// `sheaf share`: lists on a server that several people keep.
struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Share a list with others on a PostgreSQL server.",
        discussion: """
            Every command names the server by --store: postgresql://[ROLE@]HOST/DATABASE?list=NAME. A list is \
            called NAME, OWNER/NAME or by its id. NAME alone keeps meaning the list that it first meant on this \
            machine: your own, else the only one of that name. Passwords belong in ~/.pgpass. Without a command it shows the \
            lists that you may see.

            For example:
              sheaf share init --store postgresql://admin@db.example.org/lists
              sheaf share create home --store postgresql://anna@db.example.org/lists
              sheaf share invite ben write \\
                --store 'postgresql://anna@db.example.org/lists?list=home'
              sheaf --store 'postgresql://ben@db.example.org/lists?list=home'
            """,
        subcommands: [
            ShareInitCommand.self, ShareCreateCommand.self, ShareInviteCommand.self,
            ShareRevokeCommand.self, ShareLeaveCommand.self, ShareListCommand.self,
            ShareUseCommand.self,
        ],
        defaultSubcommand: ShareListCommand.self)
}

/// Which server a command is about.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server, and the list: postgresql://[ROLE@]HOST/DATABASE?list=NAME.",
            valueName: "url"))
    var store: String

    /// - Throws: `StoreURLError`.
    func url() throws -> PostgresURL {
        try PostgresURL(store, environment: ProcessInfo.processInfo.environment)
    }

    /// The server that the URL names.
    ///
    /// - Throws: `StoreURLError`, or `StorageError`.
    func sharing() throws -> PostgresSharing {
        try PostgresSharing(
            url(), state: StateFolder(environment: ProcessInfo.processInfo.environment),
            report: { Diagnostics.report($0) })
    }
}

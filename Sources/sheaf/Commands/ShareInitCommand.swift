import ArgumentParser
import FoundationEssentials
import SheafPostgres

/// `sheaf share init`: makes a database ready for lists.
struct ShareInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        _superCommandName: "sheaf share",
        abstract: "Set up a database for lists, or upgrade it.",
        discussion: """
            Creates the schema sheaf with its tables and functions, all or nothing; the owner of the database \
            runs it. Programs of an older version then refuse to write there until they are updated. To read the \
            SQL first, or to give it to an administrator, use --print.

            For example:
              sheaf share init --print | less
              sheaf share init --store postgresql://admin@db.example.org/lists
            """)

    @Option(
        help: ArgumentHelp("The server: postgresql://[ROLE@]HOST/DATABASE.", valueName: "url"))
    var store: String?

    @Flag(name: .customLong("print"), help: "Print the SQL and run nothing.")
    var isPrinting = false

    func validate() throws {
        guard isPrinting || store != nil else {
            throw ValidationError("Name the server with --store, or see the SQL with --print.")
        }
    }

    func run() throws {
        guard !isPrinting, let store else {
            return try FileOutput().write(Array(PostgresSharing.script.utf8))
        }
        let url = try PostgresURL(store, environment: ProcessInfo.processInfo.environment)
        let sharing = try PostgresSharing(url)
        switch try sharing.setUp() {
        case PostgresSharing.version: Diagnostics.report("The database is already set up.")
        case nil:
            Diagnostics.report("The database is ready for lists. Next: sheaf share create NAME")
        case .some(let version):
            Diagnostics.report(
                "The database was upgraded from version \(version) to \(PostgresSharing.version).")
        }
        if let report = try sharing.reportOfVoidMembers() {
            Diagnostics.report("\(report.text). \(report.advice)")
        }
    }
}

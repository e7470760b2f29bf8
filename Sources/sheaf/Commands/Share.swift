import ArgumentParser
import FoundationEssentials
import SheafFormats
import SheafList
import SheafPostgres
import SheafStorage
import Terminal

/// `sheaf share`: manages lists on a server that several people share.
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

/// The option that names the server of a command.
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

    /// Returns the server that the URL names.
    ///
    /// - Throws: `StoreURLError`, or `StorageError`.
    func sharing() throws -> PostgresSharing {
        try PostgresSharing(
            url(), state: StateFolder(environment: ProcessInfo.processInfo.environment),
            report: { Diagnostics.report($0) })
    }
}

/// `sheaf share init`: prepares a database for lists.
struct ShareInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up a database for lists, or upgrade it.",
        discussion: """
            Creates the schema sheaf with its tables and functions, all or nothing; the owner of the database \
            runs it. Older versions of Sheaf then refuse to write there until they are updated. To read the \
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

/// `sheaf share create`: creates a list on a server.
struct ShareCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
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
        // The name alone may refer to another list on this machine.
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

    /// Returns true if the name alone refers to the new list.
    private func isMeant(_ sharing: PostgresSharing, by name: String) throws -> Bool {
        do {
            let owner = try sharing.meaning(of: name).owner
            return owner.utf8.elementsEqual(sharing.role.utf8)
        } catch let error as StorageError where error.code == .notFound {
            // The name refers to a list that no longer exists.
            return false
        }
    }
}

/// `sheaf share invite`: gives a user the right to read or write a list.
struct ShareInviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Give a user a right to a list, or change a right.",
        discussion: """
            ROLE is the user's name on the server. The right read shows the list and follows it; write \
            changes it; own also invites and revokes. Prints the command to send to the user.

            For example:
              sheaf share invite ben write \\
                --store 'postgresql://anna@db.example.org/lists?list=home'
            """)

    @OptionGroup var server: ServerOptions

    @Argument(help: ArgumentHelp("The user's name on the server.", valueName: "role"))
    var role: String

    @Argument(help: "read, write or own.")
    var right: ShareRight

    func run() throws {
        let url = try server.sharing().invite(role, to: right)
        try FileOutput().write(Array("sheaf --store '\(url)'\n".utf8))
    }
}

extension ShareRight: ExpressibleByArgument {}

/// `sheaf share revoke`: revokes the right of a user to a list.
struct ShareRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a user's right to a list.",
        discussion: """
            Their screens show at once that they may no longer read it; what they have not saved stays on their \
            machine. The last owner of a list cannot be revoked.

            For example:
              sheaf share revoke ben \\
                --store 'postgresql://anna@db.example.org/lists?list=home'
            """)

    @OptionGroup var server: ServerOptions

    @Argument(help: ArgumentHelp("The user's name on the server.", valueName: "role"))
    var role: String

    func run() throws {
        let name = role
        guard try server.sharing().revoke(name) else {
            throw CommandFailure(.failure, "\(name) has no right to this list")
        }
        Diagnostics.report("\(name) may no longer read the list.")
    }
}

/// `sheaf share leave`: gives up the user's own right to a list.
struct ShareLeaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Give up your right to a list.",
        discussion: """
            The list stays for the others. To keep a copy, 'sheaf copy' it first. The last owner cannot leave.

            For example:
              sheaf share leave \\
                --store 'postgresql://ben@db.example.org/lists?list=anna/home'
            """)

    @OptionGroup var server: ServerOptions

    func run() throws {
        try server.sharing().leave()
        Diagnostics.report("You may no longer read the list.")
    }
}

/// `sheaf share list`: prints the lists on a server and the rights to them.
struct ShareListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the lists that you may see, and their members.",
        discussion: """
            Formats: table; lines, one OWNER/NAME per line; json. The default is table on a terminal, and lines in \
            a pipe or a file.

            For example:
              sheaf share list --store postgresql://anna@db.example.org/lists
            """)

    @OptionGroup var server: ServerOptions

    @Option(help: "table, json or lines.")
    var format: NameListStyle?

    func run() throws {
        let style = format ?? .standard
        let lists = try server.sharing().lists()
        try style.print(
            names: lists.map(\.reference), table: { Self.table(lists) },
            json: { lists.map(Self.object) })
    }

    private static func table(_ lists: [SharedList]) -> String {
        let names = lists.map { DisplayText.sanitized($0.reference) }
        let width = names.map { DisplayText.width(of: $0) }.max() ?? 0
        return zip(lists, names).map { list, name in
            let members = list.members.map { "\(DisplayText.sanitized($0.role)) \($0.right)" }
                .joined(separator: ", ")
            return "\(name.padded(to: width + 2))\(members)\n"
        }
        .joined()
    }

    private static func object(for list: SharedList) -> String {
        let members = list.members.map {
            "{\"role\": \(JSONText.quoted($0.role)), \"right\": \(JSONText.quoted($0.right))}"
        }
        return "{\"id\": \"\(list.id.uuidString.lowercased())\","
            + " \"members\": [\(members.joined(separator: ", "))],"
            + " \"name\": \(JSONText.quoted(list.name)),"
            + " \"owner\": \(JSONText.quoted(list.owner)),"
            + " \"right\": \(JSONText.quoted(list.right))}"
    }
}

/// `sheaf share use`: selects the list that a name refers to on this machine.
struct ShareUseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Choose the list that a name means on this machine.",
        discussion: """
            A name without an owner keeps meaning the list that it first meant on this machine. If that list is gone, \
            or you now mean another one, this sets the meaning of its name, and of a URL that names no list. REFERENCE is \
            OWNER/NAME, an id, or a NAME: then your own list, else the only one of that name.

            For example:
              sheaf share use anna/home --store postgresql://ben@db.example.org/lists
            """)

    @OptionGroup var server: ServerOptions

    @Argument(help: "The list (default: the list in the URL).")
    var reference: String?

    func run() throws {
        guard let reference = try reference ?? server.url().list else {
            throw CommandFailure(.usage, "name the list: sheaf share use REFERENCE")
        }
        let list = try server.sharing().use(reference)
        let id = list.id.uuidString.lowercased()
        Diagnostics.report(
            shown("On this machine \(list.name) now means \(list.reference) (\(id)), and so does a")
                + " URL that names no list.")
    }
}

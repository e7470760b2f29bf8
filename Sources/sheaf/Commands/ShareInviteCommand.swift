import ArgumentParser
import SheafFormats
import SheafPostgres

/// `sheaf share invite`: gives somebody a right to a list.
struct ShareInviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        _superCommandName: "sheaf share",
        abstract: "Give a user a right to a list, or change it.",
        discussion: """
            ROLE is the user's name on the server. The right read shows the list and follows it; write \
            changes it; own also invites and revokes. Prints the one line to send.

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

import ArgumentParser
import SheafPostgres

/// `sheaf share leave`: gives up one's own right to a list.
struct ShareLeaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        _superCommandName: "sheaf share",
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

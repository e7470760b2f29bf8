import ArgumentParser
import SheafPostgres

/// `sheaf share revoke`: takes somebody's right to a list.
struct ShareRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        _superCommandName: "sheaf share",
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

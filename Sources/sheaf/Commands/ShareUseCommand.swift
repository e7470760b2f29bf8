import ArgumentParser
import SheafPostgres
import Terminal

/// `sheaf share use`: chooses the list that a name means on this machine.
struct ShareUseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        _superCommandName: "sheaf share",
        abstract: "Choose the list that a name means on this machine.",
        discussion: """
            A name without an owner keeps meaning the list that it first meant on this machine. If that list is gone, \
            or you mean another one by now, this sets what its name means, and a URL that names no list. REFERENCE is \
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

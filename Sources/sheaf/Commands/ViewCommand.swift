import ArgumentParser

/// `sheaf view`: the saved views of the list.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "List and edit saved views: a query and a sort under a name.",
        discussion: """
            Name a view by its name, in upper or lower case, or by the first digits of its id. Without a command it \
            lists the views.

            For example:
              sheaf view add unread "#book NOT is:done"
              sheaf view rename unread "to read"
              sheaf view move "to read" --before garden
            """,
        subcommands: [
            ViewListCommand.self, ViewAddCommand.self, ViewRenameCommand.self,
            ViewMoveCommand.self, ViewDeleteCommand.self,
        ],
        defaultSubcommand: ViewListCommand.self)
}

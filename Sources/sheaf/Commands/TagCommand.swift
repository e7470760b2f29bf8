import ArgumentParser

/// `sheaf tag`: the tags of the list and of its items.
struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Put tags on items, and change the tags themselves.",
        discussion: """
            A tag is meant by its name, in any case of letters and with or without #, or by the beginning of its id. \
            A name also means the tag that has it after + or @, if that is the only one: roof means +roof. In most \
            shells a # has to be quoted. Without a command it lists the tags.

            For example:
              sheaf tag add book 9b2f 03ac
              sheaf tag rename book books
              sheaf tag merge novel story books
            """,
        subcommands: [
            TagListCommand.self, TagAddCommand.self, TagRemoveCommand.self, TagRenameCommand.self,
            TagRecolourCommand.self, TagMergeCommand.self, TagDeleteCommand.self,
        ],
        defaultSubcommand: TagListCommand.self)
}

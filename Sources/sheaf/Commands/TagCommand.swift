import ArgumentParser

/// `sheaf tag`: the tags of the list and of its items.
struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Add tags to items, and edit the tags themselves.",
        discussion: """
            Name a tag by its name, in upper or lower case, with or without #, or by the first digits of its id. \
            A name also finds the tag that has it after + or @, if there is only one: roof finds +roof. Most shells \
            need quotes around a #. Without a command it lists the tags.

            For example:
              sheaf tag add book 9b2f 03ac
              sheaf tag rename book books
              sheaf tag merge novel story books
            """,
        subcommands: [
            TagListCommand.self, TagAddCommand.self, TagRemoveCommand.self, TagRenameCommand.self,
            TagRecolorCommand.self, TagMergeCommand.self, TagDeleteCommand.self,
        ],
        defaultSubcommand: TagListCommand.self)
}

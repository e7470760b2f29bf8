import ArgumentParser
import SheafApp
import SheafStorage

/// `sheaf agenda`: what is to be done, by the day.
struct AgendaCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "agenda",
        _superCommandName: "sheaf",
        abstract: "Print the items that have a due date, earliest first.",
        discussion: """
            It is 'sheaf list \(SavedView.agendaQuery) --sort due' as a table with headings, on a terminal and in a \
            pipe. As on the screen, items that are scheduled for a later day are left out, unless the query has a \
            term such as -scheduled:none. The saved view Agenda, which new lists have, plays no part: you may change \
            or delete it.

            For example:
              sheaf agenda
              sheaf agenda "due:<1w" @phone
              sheaf agenda is:overdue --format json
            """)

    static let flags = PrintOptions.flags

    @OptionGroup var store: StoreOptions

    @OptionGroup var printing: PrintOptions

    @OptionGroup var query: QueryArguments

    func run() throws {
        let selection = try query.selection()
        let hidden = selection.asksForScheduled ? "" : " -is:scheduled"
        let agenda = try ItemSelection(query: SavedView.agendaQuery + hidden)
        let output = FileOutput()
        try store.reading { [printing] list in
            let tags = try await list.storage.loadTags()
            let search = try agenda.search(in: tags).and(try selection.search(in: tags))
            try await printing.print(
                search, by: ItemOrder(.due, tags: tags), of: list.storage, tags: tags,
                hasHeadings: true, to: output)
        }
        try output.finish()
    }
}

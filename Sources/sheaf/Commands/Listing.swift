import ArgumentParser
import Glibc
import SheafApp
import SheafFormats
import SheafList
import SheafStorage
import SheafTUI
import Terminal

/// `sheaf list`: prints the items, for people and for pipes.
struct ListCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the items, or those that a query finds.",
        discussion: """
            \(QueryArguments.help)

            Formats: table; lines, one name per line; json, an array of objects with the keys \
            \(ListWriter.jsonListKeys.joined(separator: ", ")); markdown, a checklist; todotxt, one task per \
            line. The default is table on a terminal, and lines in a pipe or a file.

            For example:
              sheaf list swift concurrency
              sheaf list @phone is:open --sort created --limit 10
              sheaf list '"exact words" (+book OR +film)' -draft
              sheaf list "due:<1w" --sort due
              sheaf list done:today --format json
              sheaf list --ids milk | sheaf done -
              sheaf list --view unread
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var printing: PrintOptions

    @OptionGroup var order: SortOptions

    @Option(
        help: ArgumentHelp(
            """
            Print the items of this saved view that the query also finds, in the view's order. Bare words are \
            substrings here, and scheduled items are listed.
            """,
            valueName: "view"))
    var view: String?

    @OptionGroup var query: QueryArguments

    func run() throws {
        let selection = order.applied(to: try query.selection())
        let output = FileOutput()
        try store.reading { [printing, view, options = order] list in
            let storage = list.storage
            let tags = try await storage.loadTags()
            var search = try selection.search(in: tags)
            var order = selection.order(in: tags)
            if let view {
                let saved = try ViewLookup(views: try await storage.loadViews()).view(view)
                search = try saved.found(in: tags).and(search)
                if options.sort == nil {
                    order = ItemOrder(
                        saved.sort, isReversed: saved.reversesRows != options.reverse, tags: tags)
                }
            }
            try await printing.print(search, by: order, of: storage, tags: tags, to: output)
        }
        try output.finish()
    }
}

/// `sheaf agenda`: prints the open items that have a due date, by day.
struct AgendaCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "agenda",
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

/// `sheaf count`: prints the number of items that a query finds.
struct CountCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Print how many items there are, or how many a query finds.",
        discussion: """
            'sheaf help list' explains queries.

            For example:
              sheaf count
              sheaf count is:open @phone
              sheaf count done:today
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var query: QueryArguments

    func run() throws {
        let selection = try query.selection()
        let count = try store.reading { list in
            let search = try selection.search(in: try await list.storage.loadTags())
            return try await list.storage.count(of: search)
        }
        try FileOutput().write("\(count)\n")
    }
}

/// `sheaf show`: prints all fields of an item.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print everything about an item: its note, dates and id.",
        discussion: """
            For example:
              sheaf show 9b2f
              sheaf show 9b2f --format json
            """)

    /// The format in which the item is printed.
    enum Style: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @OptionGroup var store: StoreOptions

    @Option(help: "text or json.")
    var format = Style.text

    @Argument(help: "The id of the item, or at least its first 4 digits.")
    var id: String

    func run() throws {
        let reference = try ItemReference(id)
        let (item, tags) = try store.reading { list in
            (
                try await ItemLookup(storage: list.storage).item(reference),
                try await list.storage.loadTags()
            )
        }
        let output = FileOutput()
        switch format {
        case .json:
            var writer = ListWriter(.jsonList, tags: tags) { try output.write($0) }
            try writer.write([item])
            try writer.finish()
        case .text:
            let text = Array(Self.text(of: item, tags: tags, at: .now).utf8)
            try output.write(FileOutput.isTerminal ? DisplayText.sanitized(lines: text) : text)
        }
    }

    /// Returns the name, the tags and the note, and below them a line for each field with a value.
    static func text(of item: Item, tags: [Tag], at moment: Moment) -> String {
        var said = item.described(on: moment.day(of: moment.wall))
        if item.isDone {
            said.append(("done", item.knownDoneAt.map(moment.full) ?? "on an unknown day"))
        }
        said += [
            ("created", moment.full(item.createdAt)), ("changed", moment.full(item.updatedAt)),
        ]
        said += item.extras.map { ($0.key, $0.value) }
        said.append(("id", item.id.uuidString.lowercased()))
        let width = said.map { DisplayText.width(of: $0.0) }.max() ?? 0
        let labels = tags.filter { item.tags.contains($0.id) }.map(\.label)
        let parts = [
            [item.name] + (labels.isEmpty ? [] : [labels.joined(separator: " ")]),
            item.note.isEmpty ? [] : [item.note],
            said.map { label, text in label.padded(to: width + 2) + text },
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n") + "\n"
    }
}

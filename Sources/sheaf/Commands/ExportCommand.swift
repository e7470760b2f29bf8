import ArgumentParser
import SheafFormats
import SheafList
import SheafStorage

/// `sheaf export`: the list as a file that `import` gives back.
struct ExportCommand: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        _superCommandName: "sheaf",
        abstract: "Write the list, or the items that a query finds, in a format that import reads.",
        discussion: """
            Formats: json, which is lossless; lines, one name per line; markdown, a checklist with tags as headings, \
            without times; todotxt, with dates instead of times, and @name for a tag that begins with neither + nor \
            @. A file is written completely or not at all; an existing file is kept, \
            unless --force is given. JSON has all tags, whatever the query. 'sheaf help list' explains queries.

            For example:
              sheaf export --output backup.json
              sheaf export --format lines +swift is:open > swift.txt
              sheaf export --output reading.md
            """)

    static let letters: Set = ["-o"]

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "json, lines, markdown or todotxt (default: by the output file's name, or json)."
        ))
    var format: ListFormat?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"))
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var query: QueryArguments

    func validate() throws {
        if output?.isEmpty ?? false {
            throw ValidationError("The file to write has no name.")
        }
    }

    func run() throws {
        let format = format ?? output.flatMap(ListFormat.init(fileName:)) ?? .json
        let selection = try query.selection()
        let file = try store.reading { [output, force] list in
            let storage = list.storage
            try await storage.checkIntegrity()
            let tags = try await storage.loadTags()
            // Before a file is made.
            let search = try selection.search(in: tags)
            let isFile = output != nil && output != "-"
            let file =
                try output.flatMap {
                    isFile
                        ? try FileOutput(path: $0, source: list.location.file, replacing: force)
                        : nil
                } ?? FileOutput()
            let isOnTerminal = file.isOnTerminal
            var isByTag = true
            if format == .markdown {
                isByTag = try await storage.standTagByTag(
                    search, by: selection.order(in: tags), tags: tags)
            }
            let rows = format == .json ? try await storage.loadSmall() : StorageChanges()
            var writer = ListWriter(
                format.exportForm, tags: tags, rows: rows, hasHeadings: isByTag
            ) {
                try file.enqueue(isOnTerminal ? TerminalText.sanitized($0) : $0)
            }
            try await storage.readItems(search, format == .lines ? .allButTags : .all) {
                try writer.write($0)
                return true
            }
            try writer.finish()
            return file
        }
        try file.finish()
    }
}

extension ListFormat {
    /// What `export` writes: in JSON the whole store.
    fileprivate var exportForm: ListWriter.Form {
        switch self {
        case .lines: .lines
        case .json: .jsonStore
        case .markdown: .markdown
        case .todotxt: .todotxt
        }
    }
}

import ArgumentParser
import SheafCore
import SheafStorage

/// `sheaf export`: the list as a file that `import` gives back.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the list, with its tags, as a file that import reads.",
        discussion: """
            Formats: json, which loses nothing; lines, a name a line. A file is there whole or not at all.

            For example:
              sheaf export --output backup.json
              sheaf export --format lines swift > swift.txt
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: "json or lines.")
    var format = ListFormat.json

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"))
    var output: String?

    @Argument(help: "Words that the name has to contain, in any case of letters.")
    var query: [String] = []

    func run() throws {
        let filter = ItemFilter(text: query.joined(separator: " "))
        let url = try store.url()
        let storage = try store.open(.readWrite)
        try waiting { [format, output] in
            let tags = try await storage.loadTags()
            let isFile = output != nil && output != "-"
            let file =
                try output.flatMap { isFile ? try FileOutput(path: $0, store: url) : nil }
                ?? FileOutput()
            let isOnTerminal = !isFile && FileOutput.isTerminal
            var writer = ListWriter(format == .json ? .jsonStore : .lines, tags: tags) {
                try file.write(isOnTerminal ? TerminalText.sanitized($0) : $0)
            }
            try await storage.forEachPage(of: filter) { try writer.write($0) }
            try writer.finish()
            try file.finish()
            await storage.close()
        }
    }
}

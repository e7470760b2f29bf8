import ArgumentParser
import SheafFormats
import SheafList
import SheafStorage
import SheafTUI
import Terminal

/// `sheaf show`: all that there is of an item.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        _superCommandName: "sheaf",
        abstract: "Print everything about an item: its note, dates and id.",
        discussion: """
            For example:
              sheaf show 9b2f
              sheaf show 9b2f --format json
            """)

    /// How the item is printed.
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
            try output.write(FileOutput.isTerminal ? TerminalText.sanitized(text) : text)
        }
    }

    /// The name, the tags and the note, and below them a line for each field that says something.
    static func text(of item: Item, tags: [Tag], at moment: Moment) -> String {
        var said = item.described(on: moment.day(of: moment.wall))
        if let doneAt = item.doneAt { said.append(("done", moment.full(doneAt))) }
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
            said.map { label, text in
                let gap = width - DisplayText.width(of: label) + 2
                return label + String(repeating: " ", count: gap) + text
            },
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n") + "\n"
    }
}

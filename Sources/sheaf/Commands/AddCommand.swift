import ArgumentParser
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SheafStorage

/// `sheaf add`: one item for each name.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        _superCommandName: "sheaf",
        abstract: "Add items at the end of the list, and print their ids.",
        discussion: """
            Each name is one item; quote names with spaces. Missing tags are created. Days and repeats are typed as \
            'sheaf help set' explains. To add the lines of a text, use import.

            For example:
              sheaf add "Thinking in Systems" --tag book --tag systems
              sheaf add "Pay the rent" --due 1dec --repeat +1m
            """)

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "A tag for the new items; may be repeated.")
    var tag: [String] = []

    @Option(help: "A note for the new items.")
    var note: String?

    @OptionGroup var fields: FieldOptions

    @Argument(help: "The name of an item.")
    var name: [Words]

    func validate() throws {
        let names = name.texts
        guard names.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("The name of an item cannot be blank.")
        }
        guard !names.contains("-") else {
            throw ValidationError("To add the lines of standard input, use: sheaf import -")
        }
        guard tag.allSatisfy({ Tag.name(from: $0) != nil }) else {
            throw ValidationError(TagLookup.nameless)
        }
    }

    func run() throws {
        var blank = Item(id: UUID.random())
        for setting in try fields.settings() { setting.apply(to: &blank) }
        let ids = name.texts.map { (id: UUID.random(), name: $0) }
        let list = try store.open(.readWriteBegin)
        try waiting { [note, tag, blank] in
            let lookup = TagLookup(tags: tag.isEmpty ? [] : try await list.storage.loadTags())
            let tags = try tag.map(lookup.nameOrNew)
            let items = ids.map {
                var item = ImportedItem(id: $0.id, name: $0.name, note: note, tags: tags)
                item.take(["due", "scheduled", "repeat", "priority"], from: blank)
                return item
            }
            try await list.backingUpDaily {
                _ = try await ListAddition.add(ImportedList(items: items), to: list.storage)
            }
        }
        FileOutput.report(ids.map { "\($0.id.uuidString.lowercased())\n" }.joined())
    }
}

import ArgumentParser
import Glibc
import SheafFormats
import SheafList
import SheafStorage
import SheafTUI
import Terminal

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

/// `sheaf tag list`: the tags, for people and for pipes.
struct TagListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the tags, in their order.",
        discussion: """
            Formats: table, with the color and the number of items; lines, one name per line; json, an array \
            of objects with color, id, items (their number) and name. The default is table on a terminal, and lines \
            in a pipe or a file.

            For example:
              sheaf tag list
              sheaf tag list --format json
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: "table, json or lines.")
    var format: NameListStyle?

    func run() throws {
        let style = format ?? .standard
        let (tags, counts) = try store.reading { list in
            var counts: [Tag.ID: Int] = [:]
            if style != .lines {
                try await list.storage.readPages { page in
                    for item in page { for tag in item.tags { counts[tag, default: 0] += 1 } }
                    return true
                }
            }
            return (try await list.storage.loadTags(), counts)
        }
        try style.print(
            names: tags.map(\.name), table: { Self.table(tags, counts) },
            json: { tags.map { Self.object(for: $0, count: counts[$0.id, default: 0]) } })
    }

    private static func table(_ tags: [Tag], _ counts: [Tag.ID: Int]) -> String {
        let look = TableWriter.Look.ofStandardOutput()
        let colorColumns = TagColor.allCases.map(\.rawValue.count).max() ?? 0
        let numbers = tags.map { String(counts[$0.id, default: 0]) }
        let numberColumns = numbers.map(\.count).max() ?? 0
        let room = look.columns.map { max($0 - colorColumns - numberColumns - 4, 2) } ?? .max
        let names = tags.map { DisplayText.truncated($0.label, to: room) }
        let nameColumns = names.map { DisplayText.width(of: $0) }.max() ?? 0
        return zip(tags, zip(names, numbers)).map { tag, cells in
            let (name, number) = cells
            return look.painted(name, Theme.tag(tag.color))
                + padding(nameColumns - DisplayText.width(of: name) + 2)
                + tag.color.rawValue.padded(to: colorColumns + 2)
                + padding(numberColumns - number.count) + number + "\n"
        }
        .joined()
    }

    private static func object(for tag: Tag, count: Int) -> String {
        "{\"color\": \"\(tag.color.rawValue)\", \"id\": \"\(tag.id.uuidString.lowercased())\","
            + " \"items\": \(count), \"name\": \(JSONText.quoted(tag.name))}"
    }
}

/// `sheaf tag add`: puts a tag on items.
struct TagAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a tag to items; a missing tag is created.",
        usage: "sheaf tag add [--store <url>] <tag> \(ItemArguments.usage)",
        discussion: """
            If one id is wrong, nothing is changed.

            \(ItemArguments.help)

            For example:
              sheaf tag add book 9b2f 03ac
              sheaf list --ids systems | sheaf tag add theory -
              sheaf tag add theory --where "systems is:untagged"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or its whole id.")
    var tag: String

    @OptionGroup var items: ItemArguments

    func run() throws {
        _ = try TagLookup.name(tag)
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { [tag] edit, items in
            let lookup = try await edit.tags()
            let (tag, isNew) = try lookup.tagOrNew(tag)
            let changed = edit.changed(items) { $0.tags.insert(tag.id) }
            let words = described(changed.upserts)
            var plan = ListEdit.Plan(
                report: "Added the tag \(quoted(tag.name)) to \(words).",
                purpose: ListEdit.Purpose(
                    words: "add the tag \(quoted(tag.name)) to \(words)", items: changed.upserts))
            plan.changes.items = changed
            plan.isComplete = { $0.items(without: tag.id).isEmpty }
            plan.reportOfResult = { result in
                let without = result.items(without: tag.id)
                let tagged = changed.upserts.filter { !without.contains($0.id) }
                return tagged.isEmpty
                    ? "Nothing was changed."
                    : "Added the tag \(quoted(tag.name)) to \(described(tagged))."
            }
            if isNew && !changed.isEmpty { plan.changes.tags.append([tag], after: lookup.tags) }
            return plan
        }
    }
}

/// `sheaf tag remove`: takes a tag off items.
struct TagRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a tag from items.",
        usage: "sheaf tag remove [--store <url>] <tag> \(ItemArguments.usage)",
        discussion: """
            The tag itself stays, even if no item has it any more. If one id is wrong, nothing is changed.

            \(ItemArguments.help)

            For example:
              sheaf tag remove book 9b2f 03ac
              sheaf tag remove book --where "+film is:done"
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @OptionGroup var items: ItemArguments

    func run() throws {
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { [tag] edit, items in
            let tag = try await edit.tags().tag(tag)
            let changed = edit.changed(items) { $0.tags.remove(tag.id) }
            let words = "\(quoted(tag.name)) from \(described(changed.upserts))"
            var plan = ListEdit.Plan(
                report: "Removed \(words).",
                purpose: ListEdit.Purpose(words: "remove \(words)", items: changed.upserts))
            plan.changes.items = changed
            return plan
        }
    }
}

/// `sheaf tag recolor`: another color for a tag.
struct TagRecolorCommand: ParsableCommand {
    private static let colors = TagColor.allCases.map(\.rawValue).joined(separator: ", ")

    static let configuration = CommandConfiguration(
        commandName: "recolor",
        abstract: "Change the color of a tag.",
        discussion: """
            The colors are \(colors).

            For example:
              sheaf tag recolor book green
            """,
        aliases: ["recolour"])

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @Argument(help: "The color.")
    var color: TagColor

    func run() throws {
        try ListEdit.perform(on: store) { [tag, color] edit in
            let tag = try await edit.tags().tag(tag)
            var plan = ListEdit.Plan(report: "Made \(quoted(tag.name)) \(color.rawValue).")
            if tag.color != color {
                var recolored = tag
                recolored.color = color
                plan.changes.tags.replace(tag, with: recolored)
            }
            return plan
        }
    }
}

extension TagColor: ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

import ArgumentParser
import Glibc
import SheafFormats
import SheafList
import SheafStorage
import SheafTUI
import Terminal

/// `sheaf tag list`: the tags, for people and for pipes.
struct TagListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: "sheaf tag",
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
            json: { Self.json(tags, counts) })
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
                + padding(nameColumns - DisplayText.width(of: name) + 2) + tag.color.rawValue
                + padding(colorColumns - tag.color.rawValue.count + 2)
                + padding(numberColumns - number.count) + number + "\n"
        }
        .joined()
    }

    private static func json(_ tags: [Tag], _ counts: [Tag.ID: Int]) -> String {
        let objects = tags.map { tag in
            "  {\"color\": \"\(tag.color.rawValue)\","
                + " \"id\": \"\(tag.id.uuidString.lowercased())\","
                + " \"items\": \(counts[tag.id, default: 0]),"
                + " \"name\": \(JSONText.quoted(tag.name))}"
        }
        return objects.isEmpty ? "[]\n" : "[\n\(objects.joined(separator: ",\n"))\n]\n"
    }

    private static func padding(_ columns: Int) -> String {
        String(repeating: " ", count: max(columns, 0))
    }
}

import ArgumentParser
import SheafFormats
import SheafPostgres
import Terminal

/// `sheaf share list`: the lists on a server, and who may do what with them.
struct ShareListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: "sheaf share",
        abstract: "Print the lists that you may see, and their members.",
        discussion: """
            Formats: table; lines, one OWNER/NAME per line; json. The default is table on a terminal, and lines in \
            a pipe or a file.

            For example:
              sheaf share list --store postgresql://anna@db.example.org/lists
            """)

    @OptionGroup var server: ServerOptions

    @Option(help: "table, json or lines.")
    var format: NameListStyle?

    func run() throws {
        let style = format ?? .standard
        let lists = try server.sharing().lists()
        try style.print(
            names: lists.map(\.reference), table: { Self.table(lists) }, json: { Self.json(lists) })
    }

    private static func table(_ lists: [SharedList]) -> String {
        let names = lists.map { DisplayText.sanitized($0.reference) }
        let width = names.map { DisplayText.width(of: $0) }.max() ?? 0
        return zip(lists, names).map { list, name in
            let gap = String(repeating: " ", count: width - DisplayText.width(of: name) + 2)
            let members = list.members.map { "\(DisplayText.sanitized($0.role)) \($0.right)" }
                .joined(separator: ", ")
            return "\(name)\(gap)\(members)\n"
        }
        .joined()
    }

    private static func json(_ lists: [SharedList]) -> String {
        let objects = lists.map { list in
            let members = list.members.map {
                "{\"role\": \(JSONText.quoted($0.role)), \"right\": \(JSONText.quoted($0.right))}"
            }
            return "  {\"id\": \"\(list.id.uuidString.lowercased())\","
                + " \"members\": [\(members.joined(separator: ", "))],"
                + " \"name\": \(JSONText.quoted(list.name)),"
                + " \"owner\": \(JSONText.quoted(list.owner)),"
                + " \"right\": \(JSONText.quoted(list.right))}"
        }
        return objects.isEmpty ? "[]\n" : "[\n\(objects.joined(separator: ",\n"))\n]\n"
    }
}

import ArgumentParser
import Glibc
import SheafFormats
import SheafList
import SheafStorage
import Terminal

/// `sheaf view list`: the saved views, for people and for pipes.
struct ViewListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: "sheaf view",
        abstract: "Print the saved views, in their order.",
        discussion: """
            Formats: table, with what each view shows; lines, one name per line; json, an array of objects with the \
            keys \(json.keys.joined(separator: ", ")). The default is table on a terminal, and lines in a pipe or a \
            file.

            For example:
              sheaf view list
              sheaf view list --format json
            """)

    private static let json = EntityJSON(SavedView.fields.filter { $0.name != "rank" })

    @OptionGroup var store: StoreOptions

    @Option(help: "table, json or lines.")
    var format: NameListStyle?

    func run() throws {
        let style = format ?? .standard
        let (views, tags) = try store.reading { list in
            (try await list.storage.loadViews(), try await list.storage.loadTags())
        }
        try style.print(
            names: views.map(\.name), table: { Self.table(views, tags) },
            json: { Self.json(views, tags) })
    }

    private static func table(_ views: [SavedView], _ tags: [Tag]) -> String {
        let columns = TableWriter.Look.ofStandardOutput().columns ?? .max
        let names = views.map { DisplayText.truncated($0.name, to: max(columns / 2, 2)) }
        let nameColumns = names.map { DisplayText.width(of: $0) }.max() ?? 0
        return zip(views, names).map { view, name in
            let contents = contents(of: view, tags).joined(separator: ", ")
            let padding = String(
                repeating: " ", count: nameColumns - DisplayText.width(of: name) + 2)
            let rest = DisplayText.truncated(contents, to: max(columns - nameColumns - 2, 2))
            return name + padding + rest + "\n"
        }
        .joined()
    }

    /// What a view shows, in words.
    private static func contents(of view: SavedView, _ tags: [Tag]) -> [String] {
        var words: [String] = []
        switch view.choice {
        case .all: break
        case .untagged: words.append("untagged")
        case .tag(let id): words += tags.filter { $0.id == id }.map(\.label)
        }
        if !view.query.isEmpty { words.append(view.query) }
        if words.isEmpty { words.append("all items") }
        if view.hidesDone { words.append("without done items") }
        if view.sort == .manual, view.isReversed {
            words.append("in the manual order, reversed")
        } else if view.sort != .manual {
            words.append("by \(view.sort.rawValue)\(view.reversesRows ? ", reversed" : "")")
        }
        return words
    }

    private static func json(_ views: [SavedView], _ tags: [Tag]) -> String {
        var bytes: [UInt8] = []
        for view in views {
            bytes += (bytes.isEmpty ? "\n  " : ",\n  ").utf8
            let names = tags.filter { $0.id == view.tag }.map { JSONText.quoted($0.name) }
            json.append(view, to: &bytes, tags: { _ in names.map { Array($0.utf8) } })
        }
        return views.isEmpty ? "[]\n" : "[\(String(decoding: bytes, as: UTF8.self))\n]\n"
    }
}

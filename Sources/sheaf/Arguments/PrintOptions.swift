import ArgumentParser
import SheafApp
import SheafFormats
import SheafStorage
import Terminal

/// The options for the format and the number of printed items.
struct PrintOptions: ParsableArguments {
    /// The format of printed items.
    enum Style: String, CaseIterable, ExpressibleByArgument {
        case table, json, lines, markdown, todotxt

        /// The format of the items, or `nil` for the table.
        var format: ListFormat? { ListFormat(rawValue: rawValue) }
    }

    @Option(help: "table, json, lines, markdown or todotxt.")
    var format: Style?

    @Flag(help: "Print only the ids, one per line, for commands that take ids from -.")
    var ids = false

    // Unconditional, so that -1 is refused as a number and not read as an option.
    @Option(
        parsing: .unconditional, help: "Print at most this many items, the first ones in order.")
    var limit: Int?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number, 0 or more.") }
        if ids, format != nil { throw ValidationError("Give either --ids or --format, not both.") }
    }

    /// Prints the items that `search` finds in a list with these tags. The caller finishes
    /// `output`.
    ///
    /// - Parameter hasHeadings: true for a table with headings above the days, also in a pipe.
    func print(
        _ search: ItemSearch, by order: ItemOrder, of storage: any ListStorage, tags: [Tag],
        hasHeadings: Bool = false, to output: FileOutput
    ) async throws {
        let style = format ?? (FileOutput.isTerminal || hasHeadings ? .table : .lines)
        if ids {
            try await storage.readItems(search, by: order, .allButTags, limit: limit) {
                try output.enqueue($0.map { "\($0.id.uuidString.lowercased())\n" }.joined())
            }
        } else if let format = style.format {
            try await storage.write(
                search, by: order, as: format.form(json: .jsonList), tags: tags, limit: limit,
                to: output)
        } else {
            var table = TableWriter(
                tags: tags, sortedBy: order.sort, hasHeadings: hasHeadings,
                terminal: .ofStandardOutput(), output: output)
            try await storage.readItems(search, by: order, limit: limit) {
                try table.write($0)
            }
        }
    }
}

extension ListStorage {
    /// Writes the items that `search` finds in a list with these tags. The caller finishes
    /// `output`.
    ///
    /// - Parameter rows: the tags and views of a JSON store.
    func write(
        _ search: ItemSearch, by order: ItemOrder, as form: ListWriter.Form, tags: [Tag],
        rows: StorageChanges = StorageChanges(), limit: Int? = nil, to output: FileOutput
    ) async throws {
        let isOnTerminal = output.isOnTerminal
        var writer = ListWriter(form, tags: tags, rows: rows, hasHeadings: order.isManual) {
            try output.enqueue(isOnTerminal ? DisplayText.sanitized(lines: $0) : $0)
        }
        let parts: ItemParts = form == .lines ? .allButTags : .all
        try await readItems(search, by: order, parts, limit: limit) { try writer.write($0) }
        try writer.finish()
    }
}

extension ListFormat {
    /// Returns the form for a writer. JSON has two forms; the caller passes one.
    func form(json: ListWriter.Form) -> ListWriter.Form {
        switch self {
        case .lines: .lines
        case .json: json
        case .markdown: .markdown
        case .todotxt: .todotxt
        }
    }
}

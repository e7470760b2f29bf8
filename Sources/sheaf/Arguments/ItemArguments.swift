import ArgumentParser
import Glibc
import SheafApp

/// An id that the user typed.
struct ItemReference: Hashable, Sendable {
    /// The typed text.
    let text: String
    let prefix: IDPrefix

    /// - Throws: ``CommandFailure`` with the status of wrong usage.
    init(_ text: String) throws {
        self.text = text
        do {
            prefix = try IDPrefix(text)
        } catch IDPrefix.Failure.tooShort {
            throw CommandFailure(
                .usage,
                "\(shortenedInput(text)): too short for an id; give \(IDPrefix.minimumDigits) digits or more"
            )
        } catch {
            throw CommandFailure(
                .usage,
                "\(shortenedInput(text)): not an id; the first column of 'sheaf list --format table' shows them"
            )
        }
    }
}

/// The items that a command edits.
enum EditedItems: Sendable {
    case ids([ItemReference])
    /// The items that a query finds. The user must confirm them, unless `isConfirmed` is true.
    case found(ItemSelection, isConfirmed: Bool)
}

/// The arguments that select the items of a command.
struct ItemArguments: ParsableArguments {
    static let queryOption = "--where"

    /// The usage of these arguments.
    static let usage = "(<id> ... | --where <query> [--yes])"

    /// The part about these arguments in a command's help.
    static let help = """
        With --where it changes all items that a query finds; 'sheaf help list' explains queries. It says how many \
        there are, and asks first. Without a terminal to ask on, it needs --yes. On a terminal, words \
        instead of ids are a query, too.
        """

    @Argument(
        help: ArgumentHelp(
            """
            The id of an item, or at least its first 4 digits, as 'sheaf list --format table' shows it; - reads ids \
            from standard input, one per line.
            """,
            valueName: "id"))
    var ids: [Words] = []

    // Unconditional, since a query may begin with a hyphen.
    @Option(
        name: .customLong("where"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("All items that this query finds, instead of ids.", valueName: "query"))
    var queries: [String] = []

    @Flag(help: "Change the items that --where finds without asking.")
    var yes = false

    func validate() throws {
        guard queries.count <= 1 else {
            throw ValidationError(
                "Give --where once. To combine queries, write (x) OR (y), or (x) (y) for both.")
        }
        // If a script's variable is empty, the next option is in the query's place.
        if let query = queries.first, query.hasPrefix("--") {
            throw ValidationError(
                "--where needs a query, and the word after it looks like an option. "
                    + "To find all other items, write NOT or a hyphen before a term.")
        }
        guard ids.isEmpty != queries.isEmpty else {
            throw ValidationError(
                queries.isEmpty
                    ? "Give the ids of items, or --where with a query."
                    : "Give either ids or --where, not both.")
        }
    }

    /// Returns the items that are known without reading the list.
    ///
    /// - Throws: ``CommandFailure`` for a text that is neither an id nor a query, or for an empty
    ///   query.
    func edited() throws -> EditedItems {
        guard let query = try queries.first ?? words() else {
            return .ids(
                try ids.texts.flatMap {
                    $0 == "-" ? try Self.standardInput() : [try ItemReference($0)]
                })
        }
        let selection = try ItemSelection(query: query, isStrict: true)
        guard !selection.isEmpty else {
            throw CommandFailure(
                .usage, "the query of --where is empty and would find every item; write a term")
        }
        return .found(selection, isConfirmed: yes)
    }

    /// Returns the query that the words form, or `nil` if they are ids.
    ///
    /// - Throws: ``CommandFailure``, `.usage`, for words beside ids, and for words if the user
    ///   cannot be asked to confirm the found items.
    private func words() throws -> String? {
        func isID(_ text: String) -> Bool { text == "-" || IDPrefix(ifValid: text) != nil }
        guard let word = ids.texts.first(where: { !isID($0) }) else { return nil }
        guard !ids.texts.contains(where: isID), Diagnostics.canAsk else {
            // A valid id without a digit is probably a word, such as `feed`.
            let query = ids.texts.filter { text in
                !isID(text) || text != "-" && !text.contains { $0.isNumber }
            }.joined(separator: " ")
            throw CommandFailure(
                .usage,
                "\(shortenedInput(word)): not an id. The first column of 'sheaf list --format table' shows ids; "
                    + "--where \(ShellText.quoted(query)) finds items by words")
        }
        return ids.texts.joined(separator: " ")
    }

    private static func standardInput() throws -> [ItemReference] {
        let input = FileInput("-")
        guard let text = String(validating: try input.read(), as: UTF8.self) else {
            throw CommandFailure(.badInput, "\(input.name): not valid UTF-8")
        }
        var references: [ItemReference] = []
        for (index, line) in text.lines.enumerated() {
            let id = line.trimmed
            guard !id.isEmpty else { continue }
            do {
                references.append(try ItemReference(id))
            } catch let failure as CommandFailure {
                throw CommandFailure(
                    .badInput, "\(input.name):\(index + 1): \(failure.description)")
            }
        }
        return references
    }
}

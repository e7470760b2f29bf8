import ArgumentParser
import FoundationEssentials
import SheafList
import SheafStorage
import Terminal

/// The candidates for the last word of a command line, for the completion of shells.
///
/// Completion changes nothing, and reports no failure. It opens no list on a server, creates no
/// file, upgrades no list and saves no changes of interrupted sessions. Without a list, it still
/// completes commands, options and the words of queries.
struct Completion {
    /// A word, and its description.
    struct Candidate: Hashable {
        var word: String
        var text = ""
    }

    /// The candidates, or `nil` if the word is the name of a file.
    private(set) var candidates: [Candidate]?

    /// The maximum number of candidates.
    static let limit = 200

    /// Completes the last of `words`, which may be empty. O(tags and views); items are found
    /// through an index.
    ///
    /// - Parameter words: the words after the name of the program, without quotation marks.
    init(of words: [String], for program: any ParsableCommand.Type) {
        candidates = []
        let typed = words.last ?? ""
        do {
            let line = try CommandArguments(Array(words.dropLast()), of: program)
            candidates = try Self.candidates(for: typed, after: line)?
                .filter { DisplayText.sanitized($0.word) == $0.word }
                .prefix(Self.limit)
                .map { Candidate(word: $0.word, text: Self.shown($0.text)) }
        } catch {
            return
        }
    }

    private static func candidates(
        for typed: String, after line: CommandArguments
    ) throws -> [Candidate]? {
        let help = try CommandHelp(of: line.leaf)
        if let option = line.openOption {
            return try values(of: help.option(option), typed, help, line)
        }
        if !line.hasOnlyWords, typed.hasPrefix("--"), let sign = typed.firstIndex(of: "=") {
            let (option, start) = (String(typed[..<sign]), String(typed[...sign]))
            let value = String(typed[sign...].dropFirst())
            return try values(of: help.option(option), value, help, line)?
                .map { Candidate(word: start + $0.word, text: $0.text) }
        }
        let isQuery = line.leaf is any QueryCommand.Type && !["-", "--"].contains(typed.prefix(2))
        if !line.hasOnlyWords, typed.hasPrefix("-"), !isQuery {
            return options(of: help, typed, line)
        }
        if line.takesName {
            return line.command.configuration.subcommands.map { $0.configuration }
                .filter { $0.shouldDisplay && ($0.commandName ?? "").hasPrefix(typed) }
                .map { Candidate(word: $0.commandName ?? "", text: $0.abstract) }
        }
        guard !line.isForHelp, let word = help.word(line.words.count) else { return [] }
        return try values(of: word, typed, help, line)
    }

    private static func options(
        of help: CommandHelp, _ typed: String, _ line: CommandArguments
    ) -> [Candidate] {
        let given = line.optionNames
        return help.options.flatMap { option -> [Candidate] in
            let names = (option.names ?? []).map(\.spelling)
            guard option.isRepeating || given.isDisjoint(with: names) else { return [] }
            return names.filter { $0.hasPrefix(typed) }
                .map { Candidate(word: $0, text: option.abstract ?? "") }
        }
    }

    private static func values(
        of argument: CommandHelp.Argument?, _ typed: String, _ help: CommandHelp,
        _ line: CommandArguments
    ) throws -> [Candidate]? {
        guard let argument, argument.kind != .flag else { return [] }
        if let values = argument.allValues {
            return values.filter { $0.hasPrefix(typed) }.map { Candidate(word: $0) }
        }
        // The place of a move is named by another entity of the same kind.
        let named = argument.valueName == "other" ? help.words.first : argument
        guard let kind = named?.valueName.flatMap(Kind.init(valueName:)) else { return [] }
        let store = line.value(of: "--store")
        switch kind {
        case .file: return nil
        case .other: return []
        case .item, .tag, .view:
            return try reading(store) { try await kind.candidates(for: typed, in: $0) }
                .filter { !line.words.contains($0.word) }
        case .query: return terms(typed, tags: tags(of: store))
        case .field(let key):
            return terms("\(key):\(typed)", tags: [])
                .map { Candidate(word: String($0.word.dropFirst(key.count + 1))) }
        }
    }

    private static func terms(_ typed: String, tags: [Tag]) -> [Candidate] {
        let completion = QueryCompletion(of: typed, tags: tags, listsAll: true)
        let (start, word) = (
            typed.dropLast(completion.replaced), Tag.fold(String(typed.suffix(completion.replaced)))
        )
        // Shells replace the word with the common beginning of all candidates.
        let longer = completion.candidates.filter { Tag.fold($0).hasPrefix(word) }
        return (longer.isEmpty ? completion.candidates : longer).map { Candidate(word: start + $0) }
    }

    /// Returns the tags of a list. Empty if the list cannot be read, since queries have other
    /// words, too.
    private static func tags(of store: String?) -> [Tag] {
        do {
            return try reading(store) { try await $0.loadTags() }
        } catch {
            return []
        }
    }

    /// Opens the list that `store` names, without changing it, and returns the result of `body`.
    private static func reading<T: Sendable>(
        _ store: String?, _ body: @escaping @Sendable (any ListStorage) async throws -> T
    ) throws -> T {
        let environment = ProcessInfo.processInfo.environment
        let notAFile = CommandFailure(.usage, "the list is not in a file")
        let locations = Locations(environment: environment) { _, _ in throw notAFile }
        guard let file = try locations.named(store).file else { throw notAFile }
        let storage = try file.openUntouched()
        return try runBlocking {
            let found = try await body(storage)
            await storage.close()
            return found
        }
    }

    /// Returns one line of a text, short enough to fit beside a word.
    private static func shown(_ text: String) -> String {
        DisplayText.truncatedAfterWord(text, to: 60)
    }
}

extension Completion {
    /// The meaning of an argument without fixed values.
    enum Kind: Equatable {
        case file, item, tag, view, query
        /// The values of a query key, such as `due`.
        case field(String)
        /// A new text, or a number.
        case other

        /// - Returns: `nil` for an unknown name. Tests refuse arguments with such names.
        init?(valueName: String) {
            switch valueName {
            case "url", "file", "newfile", "list", "new-list": self = .file
            case "id": self = .item
            case "tag": self = .tag
            case "view": self = .view
            case "query": self = .query
            case "day": self = .field("due")
            case "letter": self = .field("priority")
            case "name", "new", "note", "text", "rule", "limit", "items", "time", "part", "role",
                "reference":
                self = .other
            default: return nil
            }
        }

        /// Returns the entities of a list whose ids or names begin with `typed`.
        fileprivate func candidates(
            for typed: String, in storage: any ListStorage
        ) async throws -> [Candidate] {
            switch self {
            case .item:
                return try await Self.items(typed, in: storage)
                    .map { Candidate(word: $0.id.uuidString.lowercased(), text: $0.name) }
            case .tag:
                return try await storage.loadTags().map {
                    typed.hasPrefix("#") ? $0.label : $0.name
                }
                .filter { Tag.fold($0).hasPrefix(Tag.fold(typed)) }
                .map { Candidate(word: $0) }
            case .view:
                return try await storage.loadViews()
                    .filter { $0.foldedName.hasPrefix(Tag.fold(typed)) }
                    .map { Candidate(word: $0.name, text: $0.query) }
            case .file, .query, .field, .other: return []
            }
        }

        /// Returns the items whose ids begin with `typed`, or the first items of the list. O(log
        /// n).
        private static func items(
            _ typed: String, in storage: any ListStorage
        ) async throws -> [Item] {
            guard !typed.isEmpty else {
                return try await storage.loadItems(after: nil, limit: limit)
            }
            let range = try IDPrefix(typed, minimum: 1).range
            let ids = try await storage.itemIDs(in: range, limit: limit)
            return try await storage.loadItems(ids: ids).sorted { $0.id < $1.id }
        }
    }
}

extension CommandHelp {
    /// Returns the option with this name, with its hyphens.
    fileprivate func option(_ name: String) -> Argument? {
        options.first { $0.names?.contains { $0.spelling == name } ?? false }
    }

    /// Returns the argument to which the word at `index` belongs.
    fileprivate func word(_ index: Int) -> Argument? {
        if index < words.count { return words[index] }
        return words.last.flatMap { $0.isRepeating ? $0 : nil }
    }
}

import FoundationEssentials
import Glibc

/// The formats that lists are read from and written in.
public enum ListFormat: String, CaseIterable, Hashable, Sendable {
    /// An item a line: its name, exactly.
    case lines
    /// An array of items as `list --format json` prints it, or a whole list with its tags.
    case json
    /// A Markdown checklist: `- [x] name`, with tags as headings and notes indented.
    case markdown
    /// A todo.txt, by the rules of github.com/todotxt/todo.txt.
    case todotxt

    /// The format that the name of a file tells, or nil if it tells none. Letters' case does not
    /// matter. Names that end in `todo.txt`, and `done.txt`, are a todo.txt; other `.txt` lines.
    public init?(fileName: String) {
        let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix("todo.txt") || name == "done.txt" {
            self = .todotxt
        } else if name.hasSuffix(".json") {
            self = .json
        } else if name.hasSuffix(".md") || name.hasSuffix(".markdown") {
            self = .markdown
        } else if name.hasSuffix(".txt") {
            self = .lines
        } else {
            return nil
        }
    }

    /// The format that most lines of `data` have, a todo.txt or a checklist, or nil. O(first 64
    /// KB).
    public init?(content data: Data) {
        let lines = TextLines(data.prefix(1 << 16)).filter { !$0.isBlank }.map { $0.text ?? "" }
        func are(_ isOne: (String) -> Bool) -> Bool {
            2 * lines.count(where: isOne) > lines.count
        }
        if are(TodoLine.isTelling) {
            self = .todotxt
        } else if are(MarkdownSyntax.hasBox) {
            self = .markdown
        } else {
            return nil
        }
    }

    /// The list that `data` spells.
    ///
    /// - Throws: ``FormatError``, which names the first line that cannot be read.
    public func read(_ data: Data) throws(FormatError) -> ImportedList {
        try parse(data).whole()
    }

    /// What can be read of `data`, and what cannot. O(bytes).
    ///
    /// - Throws: ``FormatError`` if the text breaks off the format's rules, as JSON without its
    ///   closing bracket does, so that nothing of it can be relied on.
    public func parse(_ data: Data) throws(FormatError) -> ParsedList {
        if let error = FormatError.encoding(of: data) { throw error }
        switch self {
        case .lines: return LinesReader.parse(data)
        case .json: return try parseJSON(data)
        case .markdown: return MarkdownReader.parse(data)
        case .todotxt: return TodoReader.parse(data)
        }
    }

    /// Text that fails may be another program's.
    private func parseJSON(_ data: Data) throws(FormatError) -> ParsedList {
        do throws(FormatError) {
            let parsed = try JSONListReader.parse(data)
            if !parsed.bad.isEmpty, let foreign = ForeignFile.json(data) { throw foreign.error }
            return parsed
        } catch {
            throw ForeignFile.json(data)?.error ?? error
        }
    }

    /// Refuses the text `data` in a file called `name` if another program made it and its name or
    /// content says so. O(first 4 KB).
    ///
    /// - Throws: ``FormatError``, `.foreign`, which says how to convert the file.
    public static func refuseForeign(_ data: Data, name: String) throws(FormatError) {
        if let foreign = ForeignFile.text(data, name: name) { throw foreign.error }
    }
}

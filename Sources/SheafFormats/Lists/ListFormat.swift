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

    /// Reads JSON. If no item of it can be read, the error names the program that wrote the file.
    private func parseJSON(_ data: Data) throws(FormatError) -> ParsedList {
        let parsed: ParsedList
        do throws(FormatError) {
            parsed = try JSONListReader.parse(data)
        } catch {
            throw ForeignFile.json(data)?.error ?? error
        }
        guard parsed.list.items.isEmpty, !parsed.bad.isEmpty,
            let foreign = ForeignFile.json(data)
        else { return parsed }
        throw foreign.error
    }

    /// The format of the text `data` in a file called `name`, or nil if neither tells: first the
    /// name, then the form of most lines. Text without a name is lines. O(first 64 KB).
    ///
    /// - Throws: ``FormatError``, `.foreign`, which says how to convert the file, if it is of
    ///   another program by its name or its content.
    public static func guess(_ data: Data, name: String?) throws(FormatError) -> ListFormat? {
        let named = name.map(ListFormat.init(fileName:)) ?? .lines
        if let named, named != .lines { return named }
        if let foreign = name.flatMap(ForeignFile.named) {
            throw (ForeignFile.text(data) ?? foreign).error
        }
        if name != nil, let format = ListFormat(content: data) { return format }
        if let foreign = ForeignFile.text(data) ?? ForeignFile.json(data) { throw foreign.error }
        return named
    }
}

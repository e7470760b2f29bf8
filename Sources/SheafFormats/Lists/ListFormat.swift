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
        switch self {
        case .lines: LinesReader.parse(data)
        case .json: try JSONListReader.parse(data)
        case .markdown: MarkdownReader.parse(data)
        case .todotxt: TodoReader.parse(data)
        }
    }
}

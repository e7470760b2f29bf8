import FoundationEssentials
import Glibc
import SheafList

/// The formats for reading and writing lists.
package enum ListFormat: String, CaseIterable, Hashable, Sendable {
    /// One item per line: its name, exactly.
    case lines
    /// An array of items as `list --format json` prints it, or a whole list with its tags.
    case json
    /// A Markdown checklist: `- [x] name`, with tags as headings and notes indented.
    case markdown
    /// A todo.txt file, by the rules of github.com/todotxt/todo.txt.
    case todotxt

    /// Determines the format from the name of a file, regardless of case. Returns `nil` if the name
    /// does not indicate one. Names that end in `todo.txt`, and `done.txt`, are todo.txt files.
    /// Other `.txt` files are lines.
    package init?(fileName: String) {
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

    /// Determines the format of most lines of `data`: todo.txt, a checklist, or `nil`. O(first 64
    /// KB).
    package init?(content data: Data) {
        let lines = TextLines(data.prefix(1 << 16)).filter { !$0.isBlank }.map { $0.text ?? "" }
        func are(_ isOne: (String) -> Bool) -> Bool {
            2 * lines.count(where: isOne) > lines.count
        }
        if are(TodoLine.hasDistinctiveStart) {
            self = .todotxt
        } else if are(MarkdownSyntax.hasBox) {
            self = .markdown
        } else {
            return nil
        }
    }

    /// Parses the list in `data`.
    ///
    /// - Throws: ``FormatError`` for the first line that cannot be read.
    package func read(_ data: Data) throws(FormatError) -> ImportedList {
        try parse(data).requireComplete()
    }

    /// Parses `data`, and returns both the items and the errors. O(bytes).
    ///
    /// - Throws: ``FormatError`` if the text violates the format as a whole, such as JSON without
    ///   its closing bracket, so that no part of it is reliable.
    package func parse(_ data: Data) throws(FormatError) -> ParsedList {
        if let error = FormatError.encoding(of: data) { throw error }
        switch self {
        case .lines: return ParsedList(lines: data)
        case .json: return try parseJSON(data)
        case .markdown: return MarkdownReader.parse(data)
        case .todotxt: return TodoReader.parse(data)
        }
    }

    /// Returns true if several lines of `data`, which is read as lines, have words such as `+House`
    /// and `@phone`, which are tags in a todo.txt. O(first 64 KB).
    package static func mayBeTodoTxt(_ data: Data) -> Bool {
        TextLines(data.prefix(1 << 16)).compactMap(\.text).probablyHaveTodoTags
    }

    /// Reads JSON. If it has no readable item, the error names the program that wrote the file.
    private func parseJSON(_ data: Data) throws(FormatError) -> ParsedList {
        let parsed: ParsedList
        do throws(FormatError) {
            parsed = try JSONListReader.parse(data)
        } catch {
            throw ForeignFile.json(data)?.error ?? error
        }
        guard parsed.list.items.isEmpty, !parsed.errors.isEmpty,
            let foreign = ForeignFile.json(data)
        else { return parsed }
        throw foreign.error
    }

    /// Determines the format of the text `data` in a file called `name`: first from the name, then
    /// from the form of most lines. Returns `nil` if neither indicates one. Text without a name is
    /// read as lines. O(first 64 KB).
    ///
    /// - Throws: ``FormatError`` of kind `.foreign`, which says how to convert the file, if its
    ///   name or its content shows that another program wrote it.
    package static func guess(_ data: Data, name: String?) throws(FormatError) -> ListFormat? {
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

import Foundation

/// The formats that lists are read from and written in.
public enum ListFormat: String, CaseIterable, Hashable, Sendable {
    /// An item a line: its name, exactly.
    case lines
    /// An array of items as `list --format json` prints it, or a whole list with its tags.
    case json

    /// The format that the name of a file tells, or nil if it tells none that is known. Letters'
    /// case does not matter. `todo.txt` and `done.txt` are a format of their own, not lines.
    public init?(fileName: String) {
        let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix("todo.txt") || name == "done.txt" { return nil }
        if name.hasSuffix(".json") {
            self = .json
        } else if name.hasSuffix(".txt") {
            self = .lines
        } else {
            return nil
        }
    }

    /// The list that `data` spells.
    ///
    /// - Throws: ``FormatError``, which names the line.
    public func read(_ data: Data) throws(FormatError) -> ImportedList {
        switch self {
        case .lines: try LinesReader.read(data)
        case .json: try JSONListReader.read(data)
        }
    }
}

import ArgumentParser
import Terminal

/// The style in which a command prints tags, views or shared lists.
enum NameListStyle: String, CaseIterable, ExpressibleByArgument {
    case table, json, lines

    /// The style if `--format` is not given.
    static var standard: Self { FileOutput.isTerminal ? .table : .lines }

    /// Prints a list in this style. The `lines` style prints `names` with spaces in place of line
    /// breaks, because it has no escapes. `json` returns an object for each name.
    func print(names: [String], table: () -> String, json: () -> [String]) throws {
        let text =
            switch self {
            case .table: table()
            case .json: Self.array(of: json())
            case .lines: names.map { Self.line($0) }.joined()
            }
        let bytes = Array(text.utf8)
        let isText = FileOutput.isTerminal && self != .table
        try FileOutput().write(isText ? DisplayText.sanitized(lines: bytes) : bytes)
    }

    private static func array(of objects: [String]) -> String {
        objects.isEmpty ? "[]\n" : "[\n  \(objects.joined(separator: ",\n  "))\n]\n"
    }

    private static func line(_ name: String) -> String {
        let bytes = name.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }
}

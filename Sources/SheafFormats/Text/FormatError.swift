/// Why a text cannot be read as a list, and where.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the text as a whole.
    public enum Kind: Hashable, Sendable {
        /// A part of it breaks the rules of the format.
        case malformed
        /// It is something else.
        case foreign
        /// A later version of the format.
        case newer
    }

    public var kind = Kind.malformed
    /// The line, counted from 1.
    public var line: Int?
    /// The value in the line's item, such as `items[3].doneAt`, counted from 0.
    public var path: String?
    /// A few words: `not valid UTF-8`. Quotes nothing of the text that could harm a terminal.
    public var reason: String

    public init(line: Int?, path: String? = nil, reason: String) {
        self.line = line
        self.path = path
        self.reason = reason
    }

    /// `line 3: items[3].doneAt: not a time`.
    public var description: String {
        ([line.map { "line \($0)" }, path].compactMap(\.self) + [reason]).joined(separator: ": ")
    }

    static func notUTF8(line: Int) -> FormatError {
        FormatError(line: line, reason: "not valid UTF-8")
    }
}

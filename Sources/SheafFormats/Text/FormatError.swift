import FoundationEssentials

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

    /// The report of `text`, which names a field and spells no value of it.
    static func unread(_ text: String, line: Int?) -> FormatError {
        FormatError(line: line, reason: "\(JSONText.quoted(text)) is no field, and is kept as text")
    }

    private static let noUTF8 = "not valid UTF-8"

    static func notUTF8(line: Int) -> FormatError { FormatError(line: line, reason: noUTF8) }

    /// Whether the line is text of another encoding.
    public var isOfEncoding: Bool { reason == Self.noUTF8 }

    /// The error for `data` in UTF-16 or UTF-32, of which every second byte is a NUL where the text
    /// is English; nil for other data. O(first 4 KB).
    static func encoding(of data: Data) -> FormatError? {
        let start = Array(data.prefix(4_096))
        let isMarked = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        // Of nearly all pairs of bytes the same one is a NUL.
        let pairs = start.count / 2
        func areNUL(_ place: Int) -> Bool {
            let nul = (0..<pairs).count {
                start[2 * $0 + place] == 0 && start[2 * $0 + 1 - place] != 0
            }
            return pairs > 1 && 10 * nul >= 9 * pairs
        }
        guard isMarked || areNUL(0) || areNUL(1) else { return nil }
        var error = FormatError(
            line: nil,
            reason: "the text is not UTF-8. If it is UTF-16, convert it:"
                + " iconv -f UTF-16 -t UTF-8 FILE > NEW")
        error.kind = .foreign
        return error
    }
}

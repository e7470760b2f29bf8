import FoundationEssentials

/// An error in a text that should be a list, with its place.
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    package enum Kind: Hashable, Sendable {
        /// A part of the text violates the format.
        case malformed
        /// The text has another format.
        case foreign
        /// The text is of a later version of the format.
        case newer
    }

    package var kind = Kind.malformed
    /// The line, counted from 1.
    package var line: Int?
    /// The path of the value, such as `items[3].doneAt`, with indices counted from 0.
    package var path: String?
    /// A short description, such as `not valid UTF-8`. It quotes no text that could harm a
    /// terminal.
    package var reason: String

    package init(line: Int?, path: String? = nil, reason: String) {
        self.line = line
        self.path = path
        self.reason = reason
    }

    /// The error with its place: `line 3: items[3].doneAt: not a time`.
    package var description: String {
        ([line.map { "line \($0)" }, path].compactMap(\.self) + [reason]).joined(separator: ": ")
    }

    /// Returns the report of `text`, which names a field but has no valid value.
    static func unread(_ text: String, line: Int?) -> FormatError {
        FormatError(line: line, reason: "\(JSONText.quoted(text)) has no valid value; kept as text")
    }

    /// Returns the report of a recurrence on a fixed day, such as `🔁 every Tuesday`.
    static func movableDay(_ text: String, line: Int?) -> FormatError {
        FormatError(
            line: line,
            reason: "\(JSONText.quoted(text)) repeats from the item's date; if you move that date,"
                + " the day changes")
    }

    private static let noUTF8 = "not valid UTF-8"

    static func notUTF8(line: Int) -> FormatError { FormatError(line: line, reason: noUTF8) }

    /// True if the error is a line that is not valid UTF-8.
    package var isNotUTF8: Bool { reason == Self.noUTF8 }

    /// Returns the error for text in UTF-16 or UTF-32, or `nil` for other data. In these encodings,
    /// almost every character of English text has only one byte that is not NUL. In UTF-16 text of
    /// other languages, NUL bytes occur only as one half of spaces and line breaks. O(first 4 KB).
    static func encoding(of data: Data) -> FormatError? {
        let start = Array(data.prefix(4_096))
        func hasUnits(of width: Int, textAt place: Int) -> Bool {
            let count = start.count / width
            let fitting = (0..<count).count { unit in
                (0..<width).allSatisfy { (start[width * unit + $0] == 0) == ($0 != place) }
            }
            return count > 1 && 10 * fitting >= 9 * count
        }
        func hasBreaks(textAt place: Int) -> Bool {
            let units = stride(from: 0, to: start.count - 1, by: 2)
            let nulls = start.indices.filter { start[$0] == 0 }
            return 10 * nulls.count >= start.count / 2 && nulls.allSatisfy { $0 % 2 != place }
                && units.contains { start[$0 + place] == 0x0A && start[$0 + 1 - place] == 0 }
        }
        let encodings = [
            (2, 0, "UTF-16LE"), (2, 1, "UTF-16BE"), (4, 0, "UTF-32LE"), (4, 3, "UTF-32BE"),
        ]
        let isMarked = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        let encoding =
            isMarked
            ? "UTF-16"
            : encodings.first {
                hasUnits(of: $0.0, textAt: $0.1) || $0.0 == 2 && hasBreaks(textAt: $0.1)
            }?.2
        guard let encoding else { return nil }
        var error = FormatError(
            line: nil,
            reason: "the text is not UTF-8. If it is \(encoding), convert it:"
                + " iconv -f \(encoding) -t UTF-8 FILE > NEW")
        error.kind = .foreign
        return error
    }
}

/// The lines of a note below its item.
///
/// Lines are indented, and blank lines stay empty. Bullets without a box belong to the note of an
/// item with one. A bullet with a box would be an item itself, so it gets a backslash before its
/// mark, an escape of Markdown. Lines in a fence are not escaped.
enum MarkdownNote {
    /// Returns the lines for `note`.
    static func lines(_ note: String) -> [String] {
        var fence: MarkdownSyntax.Fence?
        return note.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { bytes in
            let line = String(Substring(bytes))
            let content = MarkdownSyntax.indentation(of: line).content
            guard !content.isEmpty else { return "" }
            if let open = fence {
                if open.isClosed(by: content) { fence = nil }
                return "  " + line
            }
            fence = MarkdownSyntax.Fence(content)
            return "  " + escaped(line)
        }
    }

    /// Returns `line` with a backslash before the mark of its bullet if it would otherwise be an
    /// item, or if it already has a backslash.
    private static func escaped(_ line: String) -> String {
        guard let mark = mark(of: line), mark.backslashes > 0 || MarkdownSyntax.hasBox(line) else {
            return line
        }
        var bytes = Array(line.utf8)
        bytes.insert(backslash, at: mark.place)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the line from which ``lines(_:)`` made `line`, without its indentation.
    static func unescaped(_ line: String) -> String {
        guard let mark = mark(of: line), mark.backslashes > 0 else { return line }
        var bytes = Array(line.utf8)
        bytes.remove(at: mark.place)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let backslash = UInt8(ascii: "\\")

    /// Returns the place of the mark of a bullet and the number of backslashes before it, or `nil`
    /// if `line` without the backslashes is not a bullet. The mark of a numbered bullet is the
    /// character after its digits, because Markdown has no escape for a digit.
    private static func mark(of line: String) -> (place: Int, backslashes: Int)? {
        let bytes = Array(line.utf8)
        guard let start = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        let place = start + bytes[start...].prefix(while: \.isASCIIDigit).count
        let rest = bytes[place...].drop { $0 == backslash }
        let bare = String(decoding: bytes[start..<place] + rest, as: UTF8.self)
        guard MarkdownSyntax.bullet(bare) != nil else { return nil }
        return (place, bytes.count - place - rest.count)
    }
}

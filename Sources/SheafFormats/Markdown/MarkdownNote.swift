/// The lines of a note under its item.
///
/// They are indented, blank lines stay empty. A line that would be an item itself has a backslash
/// before its bullet, as Markdown has it, except in a fence, where all is as it is.
enum MarkdownNote {
    /// The lines for `note`.
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

    /// `line` with a backslash before its bullet and the backslashes that it has already.
    private static func escaped(_ line: String) -> String {
        let (_, content) = MarkdownSyntax.indentation(of: line)
        guard isBullet(content) else { return line }
        return String(Substring(line.utf8.dropLast(content.utf8.count))) + "\\" + content
    }

    /// The line that ``lines(_:)`` made `line` of.
    static func unescaped(_ line: String) -> String {
        let (_, content) = MarkdownSyntax.indentation(of: line)
        guard content.utf8.first == backslash, isBullet(content) else { return line }
        let space = line.utf8.dropLast(content.utf8.count)
        return String(Substring(space)) + String(Substring(content.utf8.dropFirst()))
    }

    private static let backslash = UInt8(ascii: "\\")

    private static func isBullet(_ content: String) -> Bool {
        MarkdownSyntax.bullet(String(Substring(content.utf8.drop { $0 == backslash }))) != nil
    }
}

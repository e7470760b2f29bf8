import SheafFormats
import SheafStorage

/// How messages tell what of a file cannot be read.
enum BadInput {
    /// So many lines are named before the rest is counted.
    private static let limit = 10

    /// Names the first of `errors`, and how many more there are.
    static func report(_ errors: [FormatError], in name: String) {
        for error in errors.prefix(limit) { Diagnostics.report(sentence(error, in: name)) }
        reportRest(errors, in: name)
    }

    /// Names what was left out of the text `name`, by its lines: all items that could not be read,
    /// because what they tell is lost otherwise, and the first of what has no place in a list.
    static func reportLeftOut(of parsed: ParsedList, in name: String) {
        let shown = parsed.bad + parsed.leftOut.prefix(limit)
        for error in shown.sorted(by: { $0.line ?? 0 < $1.line ?? 0 }) {
            Diagnostics.report("left out \(sentence(error, in: name))")
        }
        reportRest(parsed.leftOut, in: name, after: "left out ")
        report(parsed.unread, in: name)
    }

    private static func reportRest(
        _ errors: [FormatError], in name: String, after words: String = ""
    ) {
        let more = errors.count - limit
        if more > 0 { Diagnostics.report("\(words)\(name): and \(more) more") }
    }

    /// `books.txt:3: not valid UTF-8`.
    static func sentence(_ error: FormatError, in name: String) -> String {
        let line = error.line.map { "\($0):" } ?? ""
        let path = error.path.map { "\($0): " } ?? ""
        return "\(name):\(line) \(path)\(error.reason)"
    }
}

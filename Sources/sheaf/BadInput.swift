import SheafStorage

/// How messages tell what of a file cannot be read.
enum BadInput {
    /// So many lines are named before the rest is counted.
    private static let limit = 10

    /// Names the first of `errors`, and how many more there are.
    ///
    /// - Parameter isComplete: whether all are named, because what they tell is lost otherwise.
    static func report(
        _ errors: [FormatError], in name: String, after words: String = "",
        isComplete: Bool = false
    ) {
        let shown = isComplete ? errors[...] : errors.prefix(limit)
        for error in shown {
            Diagnostics.report("\(words)\(sentence(error, in: name))")
        }
        let more = errors.count - shown.count
        if more > 0 { Diagnostics.report("\(words)\(name): and \(more) more") }
    }

    /// `books.txt:3: not valid UTF-8`.
    static func sentence(_ error: FormatError, in name: String) -> String {
        let line = error.line.map { "\($0):" } ?? ""
        let path = error.path.map { "\($0): " } ?? ""
        return "\(name):\(line) \(path)\(error.reason)"
    }
}

import Glibc
import Terminal

/// Messages to the user in addition to a command's results: on standard error, without control
/// sequences in quoted names and files.
enum Diagnostics {
    /// No path is longer; a quoted text may be as long as a file.
    private static let limit = 6_000

    /// Says one sentence, and below it `details`, a line each.
    static func report(_ sentence: String, details: [String] = []) {
        StandardError.write("sheaf: \(shortened(sentence))\n")
        for line in details { StandardError.write("  \(shortened(line))\n") }
    }

    /// Reports how a command understood its arguments.
    static func note(_ sentence: String) {
        StandardError.write("\(shortened(sentence))\n")
    }

    /// `text` as a line bears it: harmless to a terminal, and without its middle if it is very
    /// long.
    private static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard text.utf8.count > limit else { return DisplayText.sanitized(text) }
        let parts = [scalars.prefix(limit / 2), scalars.suffix(limit / 6)].map {
            DisplayText.sanitized(String(String.UnicodeScalarView($0)))
        }
        return parts.joined(separator: " … ")
    }

    /// Says that something long has begun, to a person.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        StandardError.write("\(DisplayText.sanitized(text))\n")
    }
}

/// A number with its noun: `1 item`, `88 items`.
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Returns text of the user as the beginning of a sentence, cut to fit on a line.
func cited(_ text: String) -> String {
    DisplayText.truncated(text, to: 60)
}

/// A name as a sentence quotes it: harmless, and no longer than a line bears.
func quoted(_ name: String) -> String {
    "“\(DisplayText.truncated(name, to: 60))”"
}

/// A path as a line of output shows it: harmless to a terminal.
func shown(_ path: String) -> String {
    DisplayText.sanitized(path)
}

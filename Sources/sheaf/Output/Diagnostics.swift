import Glibc
import Terminal

/// Messages to the user other than a command's results. They go to standard error, without control
/// sequences from the names and files that they quote.
enum Diagnostics {
    /// The maximum length of a message in bytes. No path is longer, but a quoted text may be as
    /// long as a file.
    private static let limit = 6_000

    /// True if there is a terminal on which the user can be asked.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Reports one sentence, and below it `details`, a line each.
    static func report(_ sentence: String, details: [String] = []) {
        StandardError.write("sheaf: \(shortened(sentence))\n")
        for line in details { StandardError.write("  \(shortened(line))\n") }
    }

    /// Reports how a command understood its arguments.
    static func note(_ sentence: String) {
        StandardError.write("\(shortened(sentence))\n")
    }

    /// Returns `text` in a form that is safe for a terminal. If it is very long, its middle is cut
    /// out.
    private static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard text.utf8.count > limit else { return DisplayText.sanitized(text) }
        let parts = [scalars.prefix(limit / 2), scalars.suffix(limit / 6)].map {
            DisplayText.sanitized(String(String.UnicodeScalarView($0)))
        }
        return parts.joined(separator: " … ")
    }

    /// Reports the start of a long operation, if the user reads standard error on a terminal.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        StandardError.write("\(DisplayText.sanitized(text))\n")
    }
}

/// Returns a number with its noun: `1 item`, `88 items`.
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Returns a text that the user typed, for the beginning of a sentence: without quotation marks,
/// and shortened to fit on a line.
func shortenedInput(_ text: String) -> String {
    DisplayText.truncated(text, to: 60)
}

/// Returns a quoted name for a sentence. It is safe for a terminal, and shortened to fit on a line.
func quoted(_ name: String) -> String {
    "“\(DisplayText.truncated(name, to: 60))”"
}

/// Returns a path for a line of output, in a form that is safe for a terminal.
func shown(_ path: String) -> String {
    DisplayText.sanitized(path)
}

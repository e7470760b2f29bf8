import Foundation
import Terminal

/// What is said to the user beside a command's results: on standard error, without control sequences, whatever
/// names and files it quotes.
enum Diagnostics {
    /// Says one sentence, and below it `details`, a line each.
    static func report(_ sentence: String, details: [String] = []) {
        StandardError.write("sheaf: \(DisplayText.sanitized(sentence))\n")
        for line in details { StandardError.write("  \(DisplayText.sanitized(line))\n") }
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

/// A name as a sentence quotes it: harmless, and no longer than a line bears.
func quoted(_ name: String) -> String {
    "“\(DisplayText.truncated(name, to: 60))”"
}

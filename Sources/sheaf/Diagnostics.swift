import Foundation
import Terminal

/// What is said to the user beside a command's results: on standard error, without control sequences, whatever
/// names and files it quotes.
enum Diagnostics {
    /// Says one sentence, and below it `details`, a line each.
    static func report(_ sentence: String, details: [String] = []) {
        write("sheaf: \(DisplayText.sanitized(sentence))\n")
        for line in details { write("  \(DisplayText.sanitized(line))\n") }
    }

    /// Says that something long has begun, to a person.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\(DisplayText.sanitized(text))\n")
    }

    /// Writes `text` as it is. There is nobody left to tell when that fails.
    static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
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

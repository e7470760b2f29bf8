import ArgumentParser
import Glibc

/// `sheaf complete`: prints the words that can follow on a command line, for the scripts of the
/// shells.
///
/// Each line is a word, with an optional tab and description. The exit status is 0, or 1 if the
/// name of a file can follow.
struct CompleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Print the words that can stand at the end of a command line.",
        shouldDisplay: false)

    @Argument(help: "The words after the name of the program, up to the cursor.")
    var words: [Words] = []

    func run() throws {
        // A shell waits for the answer, so a file system that does not respond must not block it.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(1)
        guard let candidates = Completion(of: words.texts, for: Sheaf.self).candidates else {
            throw ExitCode(1)
        }
        let lines = candidates.map { $0.text.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.text)\n" }
        try FileOutput().write(lines.joined())
    }
}

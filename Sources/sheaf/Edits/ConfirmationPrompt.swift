import SheafApp
import Terminal

/// The question before an edit of items that a query found.
enum ConfirmationPrompt {
    /// The maximum number of items that the question names.
    private static let shownNames = 3

    /// Asks the user, and returns if the user agrees.
    ///
    /// - Throws: ``CommandFailure``: `.usage` if there is no terminal to ask on, `.failure` if the
    ///   user declines.
    static func ask(_ purpose: ListEdit.Purpose) throws {
        let words = sentence(purpose)
        guard Diagnostics.canAsk else {
            throw CommandFailure(
                .usage, "this would \(words). Nothing was changed; --yes does it")
        }
        StandardError.write(DisplayText.sanitized("This will \(words). Continue? [y/N] "))
        let answer = readLine()
        // At the end of input the cursor is still after the question.
        if answer == nil { StandardError.write("\n") }
        guard let answer, ["y", "yes"].contains(answer.trimmed.lowercased()) else {
            throw CommandFailure(.failure, "nothing was changed")
        }
    }

    /// Returns the edit in words, with the names of the first items: `delete 5 items: “a”, “b”, “c”
    /// and 2 more`.
    private static func sentence(_ purpose: ListEdit.Purpose) -> String {
        let items = purpose.items
        guard items.count > 1 else { return purpose.words }
        let names = items.prefix(shownNames).map { quoted($0.name) }
        let more = items.count - names.count
        let end = more > 0 ? " and \(more) more" : ""
        return "\(purpose.words): \(names.joined(separator: ", "))\(end)"
    }
}

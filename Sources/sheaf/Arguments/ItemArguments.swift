import ArgumentParser
import Glibc
import SheafCore

/// An id as the user gave it.
struct ItemReference: Hashable, Sendable {
    /// As it was typed.
    let text: String
    let prefix: IDPrefix

    /// - Throws: ``CommandFailure`` with the status of wrong usage.
    init(_ text: String) throws {
        self.text = text
        do {
            prefix = try IDPrefix(text)
        } catch IDPrefix.Failure.tooShort {
            throw CommandFailure(
                .usage,
                "\(cited(text)): too short for an id; give \(IDPrefix.minimumDigits) digits or more"
            )
        } catch {
            throw CommandFailure(
                .usage,
                "\(cited(text)): not an id; the first column of 'sheaf list --format table' shows them"
            )
        }
    }
}

/// The items that a command is about.
struct ItemArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The id of an item, or at least its first 4 digits, as 'sheaf list --format table' shows it; - reads ids \
            from standard input, one per line.
            """,
            valueName: "id"))
    var ids: [Words]

    /// The ids in the order in which they were given, those of standard input included.
    ///
    /// - Throws: ``CommandFailure`` for one that cannot be an id.
    func references() throws -> [ItemReference] {
        try ids.texts.flatMap { $0 == "-" ? try Self.standardInput() : [try ItemReference($0)] }
    }

    private static func standardInput() throws -> [ItemReference] {
        let input = FileInput("-")
        guard let text = String(validating: try input.read(), as: UTF8.self) else {
            throw CommandFailure(.badInput, "\(input.name): not valid UTF-8")
        }
        var references: [ItemReference] = []
        for (index, line) in text.lines.enumerated() {
            let id = line.trimmed
            guard !id.isEmpty else { continue }
            do {
                references.append(try ItemReference(id))
            } catch let failure as CommandFailure {
                throw CommandFailure(
                    .badInput, "\(input.name):\(index + 1): \(failure.description)")
            }
        }
        return references
    }
}

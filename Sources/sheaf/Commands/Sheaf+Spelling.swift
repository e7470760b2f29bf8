import ArgumentParser
import SheafList

/// Advice on names that are misspelled.
extension Sheaf {
    /// The failure for the first option in `arguments` that `command` does not have, or `nil` if it
    /// has them all. The parser names none if another thing is wrong, too.
    ///
    /// - Parameter error: the parser's, with the usage.
    static func unknownOption(
        in arguments: ArraySlice<String>, of command: any ParsableCommand.Type,
        after error: any Error
    ) -> CommandFailure? {
        let (names, valued) = options(of: command)
        let checked = arguments.prefix { $0 != "--" }
        for (argument, previous) in zip(checked, [""] + checked) where argument.hasPrefix("--") {
            let name = String(argument.dropFirst(2).prefix { $0 != "=" })
            guard !names.contains(name), !valued.contains(where: { "--\($0)" == previous }) else {
                continue
            }
            let advice = names.nearest(to: name).map { ". Did you mean '--\($0)'?" } ?? ""
            let usage = fullMessage(for: error).split(separator: "\n").map(\.trimmed)
            return CommandFailure(
                .usage, "Unknown option '--\(cited(name))'\(advice)",
                details: Array(usage.drop { !$0.hasPrefix("Usage: ") }))
        }
        return nil
    }

    /// The names of the options that the help of `command` lists, without hyphens, and of those
    /// that take a value.
    private static func options(
        of command: any ParsableCommand.Type
    ) -> (names: [String], valued: [String]) {
        var (names, valued) = ([String](), [String]())
        for line in helpMessage(for: command).split(separator: "\n").map(\.trimmed)
        where line.hasPrefix("-") {
            let words = line.prefix(upTo: line.firstRange(of: "  ")?.lowerBound ?? line.endIndex)
                .split(separator: " ")
            let found = words.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
            names += found
            if words.last?.hasPrefix("<") ?? false { valued += found }
        }
        return (names, valued)
    }
}

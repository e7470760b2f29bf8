import ArgumentParser
import SheafList

/// Advice on names that are misspelled.
extension Sheaf {
    /// Returns the first of `names` that begins with `word`, or else the one that is spelled most
    /// like it, or `nil` if none is spelled nearly so.
    static func nearest(to word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        if word.count > 1, let longer = names.first(where: { $0.hasPrefix(word) }) { return longer }
        let nearest = names.min { $0.distance(from: word) < $1.distance(from: word) }
        return nearest.flatMap { $0.distance(from: word) <= max(word.count / 3, 1) ? $0 : nil }
    }

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
            let advice = nearest(to: name, among: names).map { ". Did you mean '--\($0)'?" } ?? ""
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

extension String {
    /// The number of characters that have to be inserted, deleted, replaced or swapped with the
    /// next one to get `other` (optimal string alignment distance). O(their lengths' product).
    fileprivate func distance(from other: String) -> Int {
        let (own, other) = (Array(self), Array(other.prefix(40)))
        var rows = [Array(0...other.count)]
        for (i, letter) in own.enumerated() {
            var row = [i + 1]
            for (j, theirs) in other.enumerated() {
                let isSame = letter == theirs
                row.append(Swift.min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (isSame ? 0 : 1)))
                if i > 0, j > 0, letter == other[j - 1], own[i - 1] == theirs {
                    row[j + 1] = Swift.min(row[j + 1], rows[i - 1][j - 1] + 1)
                }
            }
            rows.append(row)
        }
        return rows[own.count][other.count]
    }
}

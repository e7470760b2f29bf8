/// A word of a query that searches one field of items: `due:<3d`, `priority:A`.
///
/// Each such field has a row in ``all``. The lexer, completion and the help of commands use that
/// table.
package struct FieldWord: Hashable, Sendable {
    /// The text before the colon.
    let key: String
    let value: Value

    /// The text that may follow the colon.
    enum Value: Hashable, Sendable {
        case time(TimeField)
        case day(DayField)
        case priority
        /// A part of the text field with this name. The value may contain further colons, as a URL
        /// does.
        case text(String)
    }

    init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }

    static let all: [FieldWord] =
        TimeField.allCases.map { FieldWord($0.rawValue, .time($0)) }
        + DayField.allCases.map { FieldWord($0.rawValue, .day($0)) }
        + [FieldWord("priority", .priority)]

    /// Returns the key of `word` as typed, and the known key that resembles it. Returns `nil` if
    /// the word has no key, if the key is a known one, or if the word is a URL.
    static func misspelledKey(of word: String) -> (typed: String, meant: String)? {
        guard let colon = word.firstIndex(of: ":") else { return nil }
        let typed = word[..<colon]
        let keys = all.map(\.key) + ["is"]
        guard typed.count > 2, typed.allSatisfy(\.isLetter), !word[colon...].hasPrefix("://"),
            !keys.contains(typed.lowercased()), let meant = keys.nearest(to: String(typed))
        else { return nil }
        return (String(typed), meant)
    }

    /// The named values of the field.
    var names: [String] {
        switch value {
        case .time: DayReader.names.dropLast()
        case .day: DayReader.names + ["none"]
        case .priority: ["none"]
        case .text: []
        }
    }

    private var help: [String] {
        switch value {
        case .time:
            [
                "a day, an age or a range: today, yesterday, 2w,",
                ">3d, <2026-06, 2026-05..2026-06-15",
            ]
        case .day:
            [
                "the same, but lengths count forward, and fri,",
                "tomorrow, none: due:<3d has what is late too",
            ]
        case .priority: ["a letter, letters or none: A, A..C"]
        case .text: ["a part of it"]
        }
    }

    /// Returns the lines of the help. Keys whose values have the same form share a description.
    package static func help(indent: Int, width: Int) -> String {
        var groups: [(keys: String, help: [String])] = []
        for word in all {
            if groups.last?.help == word.help {
                groups[groups.count - 1].keys += " \(word.key):"
            } else {
                groups.append(("\(word.key):", word.help))
            }
        }
        func line(_ keys: String, _ help: String) -> String {
            let gap = String(repeating: " ", count: max(width - keys.count, 0))
            return String(repeating: " ", count: indent) + keys + gap + help
        }
        return groups.flatMap { keys, help in
            let isLong = keys.count >= width
            let first = isLong ? [String(repeating: " ", count: indent) + keys] : []
            let rest = help.enumerated().map { line(isLong || $0 > 0 ? "" : keys, $1) }
            return first + rest
        }
        .joined(separator: "\n")
    }
}

/// Another user who has changed an item.
package struct Author: Hashable, Sendable {
    /// The author's name in storage. On a server, this is the name of the database role.
    package var name: String
    /// The time of the change, by the clock of storage.
    package var at: Timestamp

    package init(name: String, at: Timestamp) {
        self.name = name
        self.at = at
    }

    /// The short form of the name in a row: the first letters of its first two words, or the first
    /// two letters of a single word: `AM`, `Be`.
    package var initials: String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        guard let first = words.first else { return "?" }
        guard words.count > 1 else {
            return first.prefix(1).uppercased() + first.dropFirst().prefix(1)
        }
        return words.prefix(2).map { $0.prefix(1).uppercased() }.joined()
    }
}

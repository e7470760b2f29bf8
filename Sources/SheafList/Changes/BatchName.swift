import FoundationEssentials

/// The name of a commit on a server, by which the server can tell whether it has made the commit.
package struct BatchName: Hashable, Sendable, LosslessStringConvertible {
    /// The client ids under which the process may have committed: its own, or a second one for
    /// commits that merge rows.
    package var clients: [UUID]
    package var number: Int64

    package init(clients: [UUID], number: Int64) {
        self.clients = clients
        self.number = number
    }

    package init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1, let number = Int64(words[words.count - 1]) else { return nil }
        self.init(clients: words.dropLast().compactMap(UUID.init(uuidString:)), number: number)
    }

    package var description: String {
        (clients.map(\.uuidString) + ["\(number)"]).joined(separator: " ")
    }
}

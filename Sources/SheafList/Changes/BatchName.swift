import FoundationEssentials

/// The name of a commit on a server, by which the server can tell whether it has made the commit.
public struct BatchName: Hashable, Sendable, LosslessStringConvertible {
    /// The client ids under which the process may have committed: its own, or a second one for
    /// commits that merge rows.
    public var clients: [UUID]
    public var number: Int64

    public init(clients: [UUID], number: Int64) {
        self.clients = clients
        self.number = number
    }

    public init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1, let number = Int64(words[words.count - 1]) else { return nil }
        self.init(clients: words.dropLast().compactMap(UUID.init(uuidString:)), number: number)
    }

    public var description: String {
        (clients.map(\.uuidString) + ["\(number)"]).joined(separator: " ")
    }
}

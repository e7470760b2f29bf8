import Swidux

/// The intent log of this process on a list, and those that interrupted processes left.
@MainActor
package protocol ListLog: AnyObject, IntentLog where Changes == StorageChanges {
    /// The number of changes in the logs of processes that have ended, which are not held.
    func countLeft() async -> Int

    /// Reads the logs of processes that have ended, and holds them, so that no other process takes
    /// them in too.
    func left() async -> LeftLogContent

    /// Calls `body`, which brings what ``left()`` returned into the list; as soon as this log has
    /// it, or there was nothing left to record of it, theirs go.
    func takeOver(_ body: () -> Void)

    /// Whether nothing is recorded, because the list can only be read: what others left then stays
    /// in their logs.
    var isSuspended: Bool { get set }
}

/// What the logs of interrupted processes hold.
public struct LeftLogContent: Sendable {
    /// Changes to make to the list, one batch after the other.
    public var batches: [StorageChanges]
    /// The addresses of other servers where the sessions had the list.
    public var addresses: [String]
    /// Logs that could not be read, each with a reason. They stay as they are.
    public var unreadable: [StorageError]

    public init(
        batches: [StorageChanges] = [], addresses: [String] = [], unreadable: [StorageError] = []
    ) {
        self.batches = batches
        self.addresses = addresses
        self.unreadable = unreadable
    }
}

extension LeftLogContent {
    /// The sessions as messages name them: `an interrupted session at anna@db.example.org:5432`.
    public var session: String {
        let place = addresses.isEmpty ? "" : " at \(addresses.joined(separator: " and "))"
        return "an interrupted session\(place)"
    }
}

extension ListLog {
    /// This process's log, as the pipeline to storage knows it.
    package var intents: any IntentLog<StorageChanges> { self }
}

import Swidux

/// The intent log of this process on a list, and those that interrupted processes left.
@MainActor
package protocol ListLog: AnyObject, IntentLog where Changes == StorageChanges {
    /// The number of changes in the logs of processes that have ended, which are not held.
    func countLeft() async -> Int

    /// Reads the logs of processes that have ended, and holds them, so that no other process takes
    /// them in too.
    func left() async -> LeftLogContent

    /// Calls `body`, which brings the changes of ``left()`` into the list. The logs of other
    /// processes are removed as soon as this log contains their changes, or none are left to
    /// record.
    func takeOver(_ body: () -> Void)

    /// True if nothing is recorded, because the list can only be read. The changes of other
    /// processes then stay in their logs.
    var isSuspended: Bool { get set }
}

/// The content of the logs of interrupted processes.
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

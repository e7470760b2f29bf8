import Swidux

/// The intent log of this process for a list, and the logs that interrupted processes left.
@MainActor
package protocol ListLog: AnyObject, IntentLog where Changes == StorageChanges {
    /// Returns the number of changes in the logs of processes that have ended, without locking
    /// them.
    func countAbandoned() async -> Int

    /// Reads and locks the logs of processes that have ended, so that no other process adopts them.
    func abandoned() async -> AbandonedLogContent

    /// Calls `body`, which applies the changes of ``abandoned()`` to the list. The logs of other
    /// processes are removed as soon as this log contains their changes, or if the list already has
    /// them all.
    func adopt(_ body: () -> Void)

    /// True if the log records no changes, because the list is read-only. The changes of other
    /// processes then stay in their logs.
    var isSuspended: Bool { get set }
}

/// The content of the logs of interrupted processes.
package struct AbandonedLogContent: Sendable {
    /// Changes to make to the list, one batch after the other.
    package var batches: [StorageChanges]
    /// The addresses of other servers that held the list in those sessions.
    package var addresses: [String]
    /// The errors of logs that could not be read. These logs stay unchanged.
    package var unreadable: [StorageError]

    package init(
        batches: [StorageChanges] = [], addresses: [String] = [], unreadable: [StorageError] = []
    ) {
        self.batches = batches
        self.addresses = addresses
        self.unreadable = unreadable
    }
}

extension AbandonedLogContent {
    /// The sessions as messages name them: `an interrupted session at anna@db.example.org:5432`.
    package var session: String {
        let place = addresses.isEmpty ? "" : " at \(addresses.joined(separator: " and "))"
        return "an interrupted session\(place)"
    }
}

extension ListLog {
    /// This process's log, as a type that the persistence pipeline accepts.
    package var intents: any IntentLog<StorageChanges> { self }
}

import Glibc
import SheafCore
import Synchronization

/// The intent logs of processes on one list that have ended without saving it.
///
/// As long as the value lives it holds the logs, so that no other process takes them in too.
public final class LeftLogs: Sendable {
    /// What they hold.
    public let content: LeftLogContent

    private let files: IntentFiles
    private let logs: Mutex<[LeftLog]>

    /// The number of items and tags that they are about.
    public var count: Int { LeftChanges.count(content.batches) }

    /// Looks for the logs of the list at `place`, wherever they lie. One look into a folder where
    /// there are none.
    public init(for place: FilePlace) {
        files = IntentFiles(of: place)
        var logs: [LeftLog] = []
        var unreadable: [StorageError] = []
        for path in files.paths() {
            do throws(StorageError) {
                logs.append(try LeftLog(path))
            } catch {
                // A lock is its owner's, which lives. What has gone since the look another process
                // has taken in.
                if error.code != .busy, access(path, F_OK) == 0 { unreadable.append(error) }
            }
        }
        content = LeftLogContent(batches: logs.flatMap(\.batches), unreadable: unreadable)
        self.logs = Mutex(logs)
    }

    /// Commits what they hold, and takes them away.
    ///
    /// - Throws: `StorageError`; then they stay.
    public func commit(to storage: any ListStorage) async throws -> LeftOutcome {
        let outcome = try await storage.commit(left: content.batches)
        remove()
        return outcome
    }

    /// Takes the logs away: what they hold is in the store, or in another log.
    public func remove() {
        logs.withLock { logs in
            for log in logs { log.remove() }
            logs = []
        }
        files.removeOrphans()
    }
}

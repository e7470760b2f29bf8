import Glibc
import SheafCore
import Synchronization

/// The intent logs of processes on one list that have ended without saving it.
///
/// As long as the value lives it holds the logs, so that no other process takes them in too, unless
/// it only looks.
public final class LeftLogs: Sendable {
    /// What they hold.
    public let content: LeftLogContent

    private let files: IntentFiles
    private let logs: Mutex<[Log]>

    private struct Log {
        let path: String
        let records: LogRecords
        /// Nil if it was only looked at.
        var held: LeftLog?
    }

    /// The number of items and tags that they are about.
    public var count: Int { LeftChanges.count(content.batches) }

    /// Looks for the logs of the list at `place`, wherever they lie. One look into a folder where
    /// there are none.
    ///
    /// - Parameter isLooking: whether they are shown and not taken in now, because the list can
    ///   only be read. Then nothing is written where they lie, and those count too that cannot be
    ///   held there. Otherwise these are unreadable: what is taken in from a log that stays would
    ///   undo later edits at the next start.
    public init(for place: FilePlace, isLooking: Bool = false) {
        files = IntentFiles(of: place)
        var logs: [Log] = []
        var unreadable: [StorageError] = []
        for path in files.paths() {
            do {
                let held = isLooking ? nil : try LeftLog(path)
                let records = try held?.records ?? LogRecords(lookingAt: path)
                logs.append(Log(path: path, records: records, held: held))
            } catch {
                let error = StorageError(error, at: path)
                // A lock is its owner's, which lives. What has gone since the look another process
                // has taken in.
                if error.code != .busy, access(path, F_OK) == 0 { unreadable.append(error) }
            }
        }
        content = LeftLogContent(batches: logs.flatMap(\.records.batches), unreadable: unreadable)
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

    /// Takes the logs away: what they hold is in the store, or in another log. One that was only
    /// looked at goes if it can be held by now and still holds that.
    public func remove() {
        logs.withLock { logs in
            for log in logs {
                guard let held = log.held else {
                    Self.remove(log)
                    continue
                }
                held.remove()
            }
            logs = []
        }
        files.removeOrphans()
    }

    private static func remove(_ log: Log) {
        do {
            let held = try LeftLog(log.path)
            if held.records == log.records { held.remove() }
        } catch {
            // Another process has it, or it can still only be read: the next start takes it in.
            return
        }
    }
}

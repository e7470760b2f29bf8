import Glibc
import SheafList

extension LeftLog {
    /// Opens the log at `path`, or returns nil if the file is none.
    ///
    /// - Parameter inPart: whether a log is opened that lacks records.
    /// - Throws: `StorageError` if it cannot be read, as a FIFO cannot, if it is a log and cannot
    ///   be understood, or if it is a rescue file.
    public static func named(_ path: String, inPart: Bool = false) throws -> LeftLog? {
        try refuseRescueFile(path)
        return LogHeader.isLog(path) ? try LeftLog(path, inPart: inPart) : nil
    }

    /// The number of entities that it is about.
    public var count: Int { LeftChanges.count(records.batches) }

    /// True if only this user can have written the log, so that the list it names is no trap.
    public var isOwn: Bool { FileTrust.isOwn(path) }

    /// Commits the changes to `storage`, merged with its present rows, and removes the log. If rows
    /// are refused, the log stays with those alone: the others, committed again, would undo later
    /// edits.
    ///
    /// - Throws: `StorageError`; then the log stays as it is, and nothing is committed.
    public func takeIn(to storage: any ListStorage) async throws -> LeftOutcome {
        var outcome = try await storage.commit(left: records.batches)
        guard !outcome.lost.isEmpty else {
            remove()
            if access(path, F_OK) == 0 { outcome.obstacle = FileFailure.words(for: EACCES) }
            return outcome
        }
        do {
            try keep(outcome.kept, refused: outcome.lost)
        } catch {
            outcome.obstacle = StorageError(error, at: path).reason
        }
        return outcome
    }
}

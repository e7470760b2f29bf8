import Glibc
import SheafList

extension AbandonedLog {
    /// Opens the log at `path`, or returns nil if the file is not an intent log.
    ///
    /// - Parameter allowsMissingRecords: true to open a log even if it lacks records.
    /// - Throws: `StorageError` if the file cannot be read, such as a FIFO, if it is a log that the
    ///   program does not understand, or if it is a rescue file.
    package static func named(_ path: String, allowsMissingRecords: Bool = false) throws
        -> AbandonedLog?
    {
        try refuseRescueFile(path)
        return LogHeader.isLog(path)
            ? try AbandonedLog(path, allowsMissingRecords: allowsMissingRecords) : nil
    }

    /// The number of entities that the log changes.
    package var count: Int { AbandonedChanges.count(records.batches) }

    /// True if only this user can have written the log. Only then can the list that it names be
    /// trusted.
    package var isOwn: Bool { FileTrust.isOwn(path) }

    /// Commits the changes to `storage`, merged with its current rows, and removes the log. If the
    /// list refuses rows, the log keeps only these. If it kept the others, committing them again
    /// would undo later edits.
    ///
    /// - Throws: `StorageError`. The log then stays as it is, and no change is committed.
    package func adopt(to storage: any ListStorage) async throws -> AbandonedOutcome {
        var outcome = try await storage.commit(abandoned: records.batches)
        guard !outcome.lost.isEmpty else {
            remove()
            if access(path, F_OK) == 0 { outcome.obstacle = FileFailure.words(for: EACCES) }
            return outcome
        }
        do {
            try replaceRecords(with: outcome.kept, refused: outcome.lost)
        } catch {
            outcome.obstacle = StorageError(error, at: path).reason
        }
        return outcome
    }
}

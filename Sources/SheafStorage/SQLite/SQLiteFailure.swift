import CSQLite
import Glibc
import SheafList
import SwiduxFiles

/// The storage errors for SQLite's errors, with messages for the user. ``FileFailure`` has the
/// messages that all backends share.
enum SQLiteFailure {
    /// Returns the error for SQLite's extended result `code`.
    ///
    /// - Parameters:
    ///   - message: SQLite's own message. It is shown for a constraint, which a user may have added
    ///     by hand, and for errors without a better message.
    ///   - systemError: the `errno` that SQLite saw, or 0.
    static func error(
        code: Int32, message: String, systemError: Int32, at location: String
    ) -> StorageError {
        if isDiskFull(code: code, systemError: systemError, path: location) {
            return FileFailure.full(at: location)
        }
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            return FileFailure.busy(at: location)
        case SQLITE_READONLY where code == readOnlyMoved:
            return FileFailure.moved(at: location)
        case SQLITE_READONLY where code == readOnlyRecovery:
            return StorageError(
                .readOnly, at: location, reason: "an interrupted write must be undone first",
                advice: "Make the list writable, and open it once.")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return StorageError(.readOnly, at: location, reason: "read-only")
        case SQLITE_CANTOPEN where access(location, R_OK) != 0 && errno == EACCES:
            return FileFailure.unreadable(at: location)
        case SQLITE_CANTOPEN where FileFailure.readOnlyErrors.contains(systemError):
            return StorageError(
                .readOnly, at: location, reason: "read-only",
                advice: "The folder must be writable too: \(FileFailure.words(for: systemError))."
            )
        case SQLITE_CANTOPEN:
            let reason = systemError == 0 ? "cannot be opened" : FileFailure.words(for: systemError)
            return StorageError(.cannotOpen, at: location, reason: reason)
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR:
            let damage =
                switch code & 0xFF {
                case SQLITE_CORRUPT: "some of its pages are invalid"
                case SQLITE_ERROR: "its tables are invalid"
                default: "its first page is invalid"
                }
            return StorageError(
                .corrupt, at: location, reason: malformed(damage),
                advice: "'sheaf doctor' shows what can be saved, 'sheaf restore' lists backups.")
        case SQLITE_INTERRUPT:
            // Only ``WorkLimit`` interrupts.
            return StorageError(
                .corrupt, at: location, reason: malformed("reading it does not end"),
                advice: "'sheaf restore' lists backups.")
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            return StorageError(.constraint, at: location, reason: message)
        case SQLITE_TOOBIG:
            return StorageError(.constraint, at: location, reason: "the text is too long")
        case SQLITE_IOERR:
            let detail = systemError == 0 ? "" : ": \(FileFailure.words(for: systemError))"
            return StorageError(.io, at: location, reason: "disk I/O error\(detail)")
        default:
            return StorageError(.io, at: location, reason: message)
        }
    }

    /// Returns true if the damage may be temporary, because SQLite itself reported it: the disk may
    /// have failed to read (`EIO`), or the file may have been restored since. False if Sheaf found
    /// the damage in a row.
    static func mayBeTemporary(_ error: StorageError) -> Bool { error.reason.hasPrefix(damaged) }

    private static func malformed(_ damage: String) -> String { "\(damaged)\(damage))" }

    private static let damaged = "the list is damaged ("

    private static let readOnlyMoved = SQLITE_READONLY | (4 << 8)
    private static let readOnlyRecovery = SQLITE_READONLY | (3 << 8)
    /// Returns true if the disk is full. SQLite reports a partial write to a full disk as an I/O
    /// error, with or without an `errno`, so this function then checks the file system.
    private static func isDiskFull(code: Int32, systemError: Int32, path: String) -> Bool {
        switch code & 0xFF {
        case SQLITE_FULL: return true
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            if FileFailure.fullErrors.contains(systemError) { return true }
            guard writeFailures.contains(code) else { return false }
            var status = statvfs()
            let folder = path.parentPath
            return statvfs(folder.isEmpty ? "." : folder, &status) == 0 && status.f_bavail == 0
        default: return false
        }
    }

    /// `SQLITE_IOERR_WRITE`, `_FSYNC`, `_DIR_FSYNC` and `_TRUNCATE`.
    private static let writeFailures: Set<Int32> = Set(
        [3, 4, 5, 6].map { SQLITE_IOERR | ($0 << 8) })
}

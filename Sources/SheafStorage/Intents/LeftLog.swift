import CSQLite
import Glibc
import SheafList

/// The intent log of a process that has ended, held so that no other process takes it in too.
public final class LeftLog {
    public let path: String
    /// The address of the list that it is of; nil if its owner ended before there was a table.
    public var list: String? { records.list }
    let records: LogRecords
    private let connection: SQLiteConnection
    /// Whether SQLite made the write-ahead log, as it does where a log has none.
    private let hasOwnWAL: Bool
    private var isOpen = true

    /// Opens the log at `path`.
    ///
    /// - Parameters:
    ///   - location: the log that errors name, if this is a copy of it.
    ///   - inPart: whether a log is opened that lacks records.
    /// - Throws: `StorageError`: `.busy` if its owner lives, `.foreign` if it is no intent log,
    ///   `.readOnly` if it cannot be held, because nothing can be written where it lies.
    init(
        _ path: String, location: String? = nil, inPart: Bool = false
    ) throws(StorageError) {
        let location = location ?? path
        self.path = path
        if !inPart { try Self.checkWriteAheadLog(path, location) }
        try Companions(of: StoreFile(named: path)).check()
        do { try LogHeader.mend(path) } catch { throw Self.failure(error, at: location) }
        hasOwnWAL = access(path + "-wal", F_OK) != 0
        connection = try SQLiteConnection.open(
            path, flags: SQLITE_OPEN_READWRITE | IntentDatabase.noFollow, location: location)
        var isHeld = false
        do {
            guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
                throw FileFailure.readOnly(at: location, advice: "")
            }
            try connection.harden()
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("BEGIN EXCLUSIVE; COMMIT")
            isHeld = true
            records = try LogRecords(of: connection)
        } catch {
            if isHeld, hasOwnWAL { Self.removeEmptyWAL(of: path) }
            connection.close()
            throw Self.failure(error, at: location)
        }
        // It lacks the last records, and the others may be saved already.
        if !inPart, hasOwnWAL, records.needsWAL {
            throw Self.incomplete("is not beside it", location)
        }
        // The tables are in one of the two files: an empty log is one that was just being made.
        if !hasOwnWAL, !records.hasTables, Self.hasChangesWithoutTables(path) {
            throw Self.incomplete("is newer than it", location)
        }
    }

    /// Whether there is a write-ahead log that SQLite has begun again, after it moved the tables to
    /// the log itself.
    private static func hasChangesWithoutTables(_ path: String) -> Bool {
        var status = stat()
        return lstat(path + "-wal", &status) == 0 && status.st_size > 0
            && !LogHeader.isWriteAheadLog(path + "-wal")
    }

    /// Refuses a log with a damaged write-ahead log: SQLite reads only the changes before the
    /// damage.
    private static func checkWriteAheadLog(
        _ path: String, _ location: String
    ) throws(StorageError) {
        guard access(path + "-wal", F_OK) == 0 else { return }
        let isDamaged: Bool
        do {
            isDamaged = try LogHeader.isDamaged(writeAheadLog: path + "-wal")
        } catch {
            throw incomplete("cannot be read", location)
        }
        if isDamaged { throw incomplete("is damaged", location) }
        // SQLite would remove it beside an empty file.
        var status = stat()
        if lstat(path, &status) == 0, status.st_size == 0, hasChangesWithoutTables(path) {
            throw incomplete("is newer than it", location)
        }
    }

    private static func incomplete(_ state: String, _ location: String) -> StorageError {
        StorageError(
            .corrupt, at: location,
            reason: "\(location.lastPathName)-wal, with changes of this intent log, \(state)",
            advice: "Keep both files. If that one is lost: sheaf restore"
                + " \(ShellText.quoted(location)) --store LIST --force applies the changes that can be"
                + " read, which may be older than the list.")
    }

    deinit { close() }

    private func close() {
        guard isOpen else { return }
        isOpen = false
        if hasOwnWAL { Self.removeEmptyWAL(of: path) }
        connection.close()
    }

    /// Only while the log is locked: afterwards it may be another process's.
    private static func removeEmptyWAL(of path: String) {
        var status = stat()
        if lstat(path + "-wal", &status) == 0, status.st_size == 0 { unlink(path + "-wal") }
    }

    /// What SQLite says of a damaged file is about a list.
    private static func failure(_ error: any Error, at path: String) -> StorageError {
        let code = (error as? StorageError)?.code ?? .corrupt
        if code == .readOnly {
            return StorageError(
                .readOnly, at: path, reason: "the intent log can only be read",
                advice: "Its changes are recovered once it can be written to.")
        }
        if let error = error as? StorageError, ![.corrupt, .foreign].contains(code) {
            return error
        }
        return StorageError(
            .corrupt, at: path, reason: "the intent log is damaged",
            advice: "Keep it: it may hold unsaved changes.")
    }

    /// Takes the log away: what it held is in the store, or in another log.
    func remove() {
        // Emptied first: where the folder lets nothing go, it is not to be taken in again. On a
        // full disk that fails, and it goes all the same.
        let sql = "CREATE TABLE IF NOT EXISTS intents (number); DELETE FROM intents"
        sqlite3_exec(connection.handle, sql, nil, nil, nil)
        unlink(path)
        close()
        unlink(path + "-wal")
    }

    /// Leaves `changes` alone in the log, and why a list refused them. Durable on return.
    ///
    /// - Throws: `StorageError`; then it is as it was.
    func keep(_ changes: StorageChanges, refused: [Refusal]) throws {
        let insertion = try connection.statement("INSERT INTO intents (changes) VALUES (?1)")
        try connection.transaction("BEGIN IMMEDIATE") {
            try connection.execute(
                """
                DELETE FROM intents; DELETE FROM handed;
                DROP TABLE IF EXISTS grouped;
                CREATE TABLE IF NOT EXISTS refused (reason TEXT NOT NULL) STRICT;
                DELETE FROM refused;
                UPDATE origin SET closed = 1;
                """)
            try insertion.bind(utf8: ChangesText.members(of: changes), at: 1)
            try insertion.run()
            let reason = try connection.statement("INSERT INTO refused VALUES (?1)")
            for row in refused {
                try reason.bind(row.reason, at: 1)
                try reason.run()
            }
        }
        // For those who move the file alone: it has all of this now, and nothing else.
        sqlite3_exec(connection.handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    }
}

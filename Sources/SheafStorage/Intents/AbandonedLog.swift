import CSQLite
import Glibc
import SheafList

/// The intent log of a process that has ended, locked so that no other process adopts it too.
package final class AbandonedLog {
    package let path: String
    /// The address of the log's list. Nil if the owner ended before it made a table.
    package var list: String? { records.list }
    let records: LogRecords
    private let connection: SQLiteConnection
    /// True if the log had no write-ahead log, so that SQLite makes one on opening.
    private let createsWAL: Bool
    private var isOpen = true

    /// Opens the log at `path`.
    ///
    /// - Parameters:
    ///   - location: the path to name in errors, if the file at `path` is a copy.
    ///   - allowsMissingRecords: true to open a log even if it lacks records.
    /// - Throws: `StorageError`: `.busy` if the owner is alive, `.foreign` if the file is not an
    ///   intent log, `.readOnly` if the log cannot be locked because its folder is not writable.
    init(
        _ path: String, location: String? = nil, allowsMissingRecords: Bool = false
    ) throws(StorageError) {
        let location = location ?? path
        self.path = path
        if !allowsMissingRecords { try Self.checkWriteAheadLog(path, location) }
        try SidecarFiles(of: StoreFile(named: path)).check()
        do { try LogHeader.repair(path) } catch { throw Self.failure(error, at: location) }
        createsWAL = access(path + "-wal", F_OK) != 0
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
            if isHeld, createsWAL { Self.removeEmptyWAL(of: path) }
            connection.close()
            throw Self.failure(error, at: location)
        }
        // The log lacks its last records, and the others may already be saved.
        if !allowsMissingRecords, createsWAL, records.needsWAL {
            throw Self.incomplete("is not beside it", location)
        }
        // The log file or its write-ahead log holds the tables. If both lack them, the owner ended
        // while it made the log.
        if !createsWAL, !records.hasTables, Self.hasChangesWithoutTables(path) {
            throw Self.incomplete("is newer than it", location)
        }
    }

    /// Returns true if a write-ahead log exists that SQLite has restarted after moving the tables
    /// to the log file.
    private static func hasChangesWithoutTables(_ path: String) -> Bool {
        var status = stat()
        return lstat(path + "-wal", &status) == 0 && status.st_size > 0
            && !LogHeader.isWriteAheadLog(path + "-wal")
    }

    /// Throws if the write-ahead log is damaged, because SQLite would read only the changes before
    /// the damage.
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
        // SQLite would remove a write-ahead log beside an empty file.
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
        if createsWAL { Self.removeEmptyWAL(of: path) }
        connection.close()
    }

    /// Removes an empty write-ahead log. Called only while the log is locked; later the file may
    /// belong to another process.
    private static func removeEmptyWAL(of path: String) {
        var status = stat()
        if lstat(path + "-wal", &status) == 0, status.st_size == 0 { unlink(path + "-wal") }
    }

    /// Converts an error about the log. SQLite's errors about a damaged file speak of a list.
    private static func failure(_ error: any Error, at path: String) -> StorageError {
        let code = (error as? StorageError)?.code ?? .corrupt
        if code == .readOnly {
            return StorageError(
                .readOnly, at: path, reason: "the intent log is read-only",
                advice: "Its changes are recovered once it is writable.")
        }
        if let error = error as? StorageError, ![.corrupt, .foreign].contains(code) {
            return error
        }
        return StorageError(
            .corrupt, at: path, reason: "the intent log is damaged",
            advice: "Keep it: it may hold unsaved changes.")
    }

    /// Removes the log after its changes reached the store or another log.
    func remove() {
        // The log is emptied first, so that no process adopts it again if its folder does not allow
        // removing it. On a full disk emptying fails, and the log is removed anyway.
        let sql = "CREATE TABLE IF NOT EXISTS intents (number); DELETE FROM intents"
        sqlite3_exec(connection.handle, sql, nil, nil, nil)
        unlink(path)
        close()
        unlink(path + "-wal")
    }

    /// Replaces the records of the log with `changes` and the reasons why a list refused them.
    /// Durable on return.
    ///
    /// - Throws: `StorageError`. The log then stays as it was.
    func replaceRecords(with changes: StorageChanges, refused: [Refusal]) throws {
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
        // Moves all records into the log file, so that the user can move that file alone.
        sqlite3_exec(connection.handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    }
}

import CSQLite
import SheafList

/// A connection to SQLite that reports errors as `StorageError`.
///
/// Not thread-safe: the owner must serialize the calls.
final class SQLiteConnection {
    let handle: OpaquePointer
    /// The file to name in errors.
    let location: String
    /// The limit that ``limitWork()`` set.
    private var limit: WorkLimit?

    private init(_ handle: OpaquePointer, location: String) {
        self.handle = handle
        self.location = location
    }

    /// Opens the file at `path` with the `flags` of `sqlite3_open_v2`. SQLite reads the file only
    /// with the first statement. The caller must call ``close()``.
    ///
    /// - Parameter location: the file to name in errors.
    static func open(
        _ path: String, flags: Int32, location: String
    ) throws(StorageError) -> SQLiteConnection {
        // SQLite appends `-journal` to the path, which takes 8 more bytes.
        let limit = Int(sqlite3_vfs_find(nil)?.pointee.mxPathname ?? 512) - 8
        guard path.utf8.count <= limit else {
            throw StorageError(
                .cannotOpen, at: location,
                reason:
                    "its path, or that of its draft, is longer than the \(limit) bytes that SQLite"
                    + " can open",
                advice: "Choose a shorter name, or another folder.")
        }
        try SidecarFiles.guardJournals(at: location)
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle else {
            throw StorageError(.io, at: location, reason: "out of memory")
        }
        let connection = SQLiteConnection(handle, location: location)
        sqlite3_extended_result_codes(handle, 1)
        guard code == SQLITE_OK else {
            defer { connection.close() }
            throw connection.failure()
        }
        return connection
    }

    /// Calls `body` with a new connection to the file at `path`, then closes the connection.
    static func with<T>(
        path: String, flags: Int32, location: String, _ body: (SQLiteConnection) throws -> T
    ) throws -> T {
        let connection = try open(path, flags: flags, location: location)
        defer { connection.close() }
        return try body(connection)
    }

    /// Closes the connection. If statements remain, SQLite closes it after the last one ends. No
    /// call may follow.
    func close() {
        sqlite3_close_v2(handle)
    }

    /// Sets the time to wait for the lock of another process.
    func setBusyTimeout(_ timeout: Duration) {
        sqlite3_busy_timeout(handle, Int32(clamping: Int64(timeout / .milliseconds(1))))
    }

    /// Keeps code in the file from running: triggers, views, and functions not known to be
    /// harmless.
    ///
    /// ``SchemaShape`` refuses such files. This setting protects the process during the check, and
    /// if the file changes later.
    func harden() throws(StorageError) {
        guard csq_harden(handle) == SQLITE_OK else {
            throw StorageError(
                .cannotOpen, at: location,
                reason: "SQLite refuses the settings that keep data safe")
        }
    }

    /// Limits the work that SQLite may do from this call on to the needs of a sound list of the
    /// file's size. If a statement exceeds the limit, it throws `.corrupt`.
    func limitWork() throws {
        if limit == nil { limit = try WorkLimit(on: self) }
        limit?.restart()
    }

    /// Returns the error of the last failed call.
    func failure() -> StorageError {
        SQLiteFailure.error(
            code: sqlite3_extended_errcode(handle),
            message: String(cString: sqlite3_errmsg(handle)),
            systemError: sqlite3_system_errno(handle), at: location)
    }

    func statement(_ sql: String) throws -> SQLiteStatement {
        try SQLiteStatement(sql, on: self)
    }

    /// Runs statements that return no rows.
    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    /// Returns the first column of the first row, such as the value of a pragma.
    func integer(_ sql: String) throws -> Int64? {
        let statement = try statement(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Returns the first column of the first row as text.
    func text(_ sql: String) throws -> String? {
        let statement = try statement(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Returns a clause for an error message if the pragma `check` finds a fault, or nil. The
    /// clause names no details; `sheaf doctor` prints SQLite's own descriptions. O(size).
    func firstFault(_ check: String) throws -> String? {
        try text("PRAGMA \(check)(1)") == "ok" ? nil : "pages or indexes of it are wrong"
    }

    /// Returns the size of the database, in bytes.
    func fileSize() throws -> Int64 {
        let pages = try integer("PRAGMA page_count") ?? 0
        return pages * (try integer("PRAGMA page_size") ?? 0)
    }

    /// Frees the pages that are cached for later statements.
    func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    /// The number of rows that the last statement wrote.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// True if a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` in a transaction, which is rolled back if `body` or the commit throws.
    func transaction<T>(_ begin: String, _ body: () throws -> T) throws -> T {
        // If a failed rollback left a transaction open, it would hold its locks forever.
        if isInTransaction { try execute("ROLLBACK") }
        try execute(begin)
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // SQLite ends the transaction itself after some errors. If the rollback fails too, the
            // next transaction retries it. The first error is the one that explains the failure to
            // the user.
            rollBack()
            throw error
        }
    }

    /// Rolls back an open transaction.
    func rollBack() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}

import CSQLite
import SheafList

/// SQLite's own functions on one connection, with errors as `StorageError`.
///
/// Not for use from two threads at once: its owner must order the calls.
final class SQLiteConnection {
    let handle: OpaquePointer
    /// The file that errors name.
    let location: String
    /// What ``limitWork()`` set.
    private var limit: WorkLimit?

    private init(_ handle: OpaquePointer, location: String) {
        self.handle = handle
        self.location = location
    }

    /// Opens the file at `path` with the `flags` of `sqlite3_open_v2`. SQLite reads the file only
    /// with the first statement. End it with ``close()``.
    ///
    /// - Parameter location: the file that errors name.
    static func open(
        _ path: String, flags: Int32, location: String
    ) throws(StorageError) -> SQLiteConnection {
        // SQLite appends `-journal` to a path.
        let limit = Int(sqlite3_vfs_find(nil)?.pointee.mxPathname ?? 512) - 8
        guard path.utf8.count <= limit else {
            throw StorageError(
                .cannotOpen, at: location,
                reason:
                    "its path, or that of its draft, is longer than the \(limit) bytes that SQLite"
                    + " can open",
                advice: "Choose a shorter name, or another folder.")
        }
        try Companions.guardJournals(at: location)
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

    /// Calls `body` with a connection of its own to the file at `path`, and closes it.
    static func with<T>(
        path: String, flags: Int32, location: String, _ body: (SQLiteConnection) throws -> T
    ) throws -> T {
        let connection = try open(path, flags: flags, location: location)
        defer { connection.close() }
        return try body(connection)
    }

    /// Ends the connection, after its last statement if any remain. No call may follow.
    func close() {
        sqlite3_close_v2(handle)
    }

    /// How long another process's lock is waited for.
    func setBusyTimeout(_ timeout: Duration) {
        sqlite3_busy_timeout(handle, Int32(clamping: Int64(timeout / .milliseconds(1))))
    }

    /// Keeps code in the file from running: triggers, views, and functions not known to be
    /// harmless.
    ///
    /// ``SchemaShape`` refuses such files; this protects while one is being judged, and if it is
    /// changed later.
    func harden() throws(StorageError) {
        guard csq_harden(handle) == SQLITE_OK else {
            throw StorageError(
                .cannotOpen, at: location,
                reason: "SQLite refuses the settings that keep data safe")
        }
    }

    /// From here on, work that exceeds what a list of this size can need ends as damage.
    func limitWork() throws {
        if limit == nil { limit = try WorkLimit(on: self) }
        limit?.restart()
    }

    /// The error of the call that failed last.
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

    /// The first column of the first row, such as a pragma's value.
    func integer(_ sql: String) throws -> Int64? {
        let statement = try statement(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The same for a text.
    func text(_ sql: String) throws -> String? {
        let statement = try statement(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    /// The first fault that a check finds, `quick_check` or `integrity_check`, or nil. O(size).
    func firstFault(_ check: String) throws -> String? {
        let lines = try text("PRAGMA \(check)(1)")?.split(separator: "\n") ?? ["no answer"]
        // The first line may be a heading.
        let fault = lines.first { !$0.hasPrefix("***") }
        return fault == "ok" ? nil : fault.map(String.init)
    }

    /// The size of the database, in bytes.
    func fileSize() throws -> Int64 {
        let pages = try integer("PRAGMA page_count") ?? 0
        return pages * (try integer("PRAGMA page_size") ?? 0)
    }

    /// Frees the pages that are cached for the next statement.
    func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    /// The number of rows that the last statement wrote.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` in a transaction that is rolled back if anything throws, the commit included.
    func transaction<T>(_ begin: String, _ body: () throws -> T) throws -> T {
        // A transaction that a failed rollback left open would hold its locks for ever.
        if isInTransaction { try execute("ROLLBACK") }
        try execute(begin)
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // SQLite ends the transaction itself after some errors. If this fails too, the next one
            // tries again, and the first error is the one that tells the user why.
            rollBack()
            throw error
        }
    }

    /// Ends a transaction that is open, without its changes.
    func rollBack() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}

import CSQLite
import Glibc
import SheafList

/// Copies of whole databases, made with SQLite's backup functions. They copy pages and so include
/// every table.
enum SQLiteCopy {
    /// The time to wait for the lock of another process.
    static let busyTimeout = Duration.seconds(5)

    /// Calls `body` with a connection to the store `file` that keeps all writers out, so that
    /// `body` reads the list at one moment.
    ///
    /// - Parameter isReadOnly: true to throw on an interrupted write instead of rolling it back.
    /// - Throws: `StorageError`. `.foreign`, `.newer` and similar errors are thrown before the file
    ///   is changed.
    static func reading<T>(
        _ file: StoreFile, isReadOnly: Bool = false, _ body: (SQLiteConnection) throws -> T
    ) throws -> T {
        guard try file.identity() != nil else { throw FileFailure.notFound(at: file.location) }
        let header = try StoreHeader(of: file)
        try header.check(newest: Schema.current.version, at: file.location)
        // Reading a database in WAL mode makes files beside it.
        let copy = isReadOnly && header.isWAL ? try DatabaseCopy(of: file) : nil
        // Opened for writing, because an interrupted write must first be rolled back. If the file
        // is read-only, SQLite opens it read-only.
        let isOpenReadOnly = isReadOnly && copy == nil
        defer { withExtendedLifetime(copy) {} }
        return try SQLiteConnection.with(
            path: copy?.path ?? file.path,
            flags: isOpenReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE,
            location: file.location
        ) { connection in
            try connection.harden()
            connection.setBusyTimeout(busyTimeout)
            return try connection.transaction("BEGIN") {
                try connection.limitWork()
                try SchemaCheck(schema: .current, connection: connection).run()
                return try body(connection)
            }
        }
    }

    /// Copies all pages of `source` into the empty file at `path`. They are durable on return.
    static func copyPages(of source: SQLiteConnection, to path: String) throws {
        try copy(source, to: path) { _ = sqlite3_backup_step($0, -1) }
    }

    /// Copies the store `file` into the empty file at `path` like ``copyPages(of:to:)``, but lets
    /// other processes commit meanwhile. Each such commit restarts the copy. After ``maxRestarts``
    /// restarts it keeps writers out, so that the copy ends.
    static func copyYielding(_ file: StoreFile, to path: String) throws {
        // Checks the file and releases the lock.
        try reading(file) { _ in }
        try SQLiteConnection.with(
            path: file.path, flags: SQLITE_OPEN_READWRITE, location: file.location
        ) { source in
            try source.harden()
            source.setBusyTimeout(busyTimeout)
            try copy(source, to: path) { backup in
                var (restarts, remaining) = (0, Int32.max)
                while sqlite3_backup_step(backup, restarts < maxRestarts ? 500 : -1) == SQLITE_OK {
                    if sqlite3_backup_remaining(backup) >= remaining { restarts += 1 }
                    remaining = sqlite3_backup_remaining(backup)
                    usleep(1_000)
                }
            }
        }
    }

    /// The maximum number of restarts before a copy keeps writers out.
    private static let maxRestarts = 20

    private static func copy(
        _ source: SQLiteConnection, to path: String, _ body: (OpaquePointer) -> Void
    ) throws {
        try SQLiteConnection.with(path: path, flags: SQLITE_OPEN_READWRITE, location: path) {
            copy in
            // The file does not have its final name yet, so it needs no journal.
            try copy.execute("PRAGMA journal_mode = OFF")
            guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main")
            else { throw copy.failure() }
            body(backup)
            guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw copy.failure() }
        }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure.opening(errno, at: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFailure.transferring(errno, at: path) }
    }

    /// Writes `changes` over the rows of the copy at `path`.
    static func write(_ changes: StorageChanges, to path: String) throws {
        try SQLiteConnection.with(path: path, flags: SQLITE_OPEN_READWRITE, location: path) {
            copy in
            try copy.execute("PRAGMA foreign_keys = ON")
            _ = try SQLiteSession(new: path, on: copy).commit(changes)
        }
    }

    /// Makes a list of `rows` in the empty file at `path`.
    static func makeList(of rows: StorageChanges, at path: String) throws {
        try SQLiteConnection.with(path: path, flags: SQLITE_OPEN_READWRITE, location: path) {
            try Schema.current.create(on: $0)
        }
        try write(rows, to: path)
    }

    /// Checks that the file at `path` is a complete store, and returns the number of its items.
    /// O(size).
    ///
    /// - Parameter location: the file to name in errors.
    static func check(_ path: String, as location: String) throws -> Int {
        var file = try StoreFile(named: path)
        file.location = location
        try StoreHeader(of: file).check(newest: Schema.current.version, at: location)
        return try SQLiteConnection.with(
            path: path, flags: SQLITE_OPEN_READONLY, location: location
        ) { connection in
            try connection.harden()
            try connection.limitWork()
            try connection.transaction("BEGIN") {
                try SchemaCheck(schema: .current, connection: connection).run()
            }
            try PageCheck.checkAll(on: connection, at: location)
            if try connection.integer("PRAGMA user_version") ?? 0 > 1 {
                try CommitLedger.check(connection)
            }
            try RowCheck.run(on: connection)
            return Int(try connection.integer("SELECT count(*) FROM items") ?? 0)
        }
    }
}

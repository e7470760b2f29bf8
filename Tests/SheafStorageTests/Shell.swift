import CSQLite
import Foundation

@testable import SheafStorage

/// Another program that has the store open: SQLite's C interface, with its defaults.
enum Shell {
    /// Runs `sql` and gives the first column of the first row.
    @discardableResult
    static func run(_ sql: String, on path: String) throws -> String? {
        try SQLiteConnection.with(
            path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, location: path
        ) { connection in
            guard sql.contains(";") else { return try connection.text(sql) }
            try connection.execute(sql)
            return nil
        }
    }

    /// Has the store refuse the rows of `table` for which `condition` does not hold, with `words`
    /// for a reason.
    static func require(
        _ condition: String, of table: String, orSay words: String, on path: String
    ) throws {
        try run(
            "ALTER TABLE \(table) ADD COLUMN guard INTEGER DEFAULT 0"
                + " CONSTRAINT '\(words)' CHECK (\(condition))", on: path)
    }

    /// Reverts ``require(_:of:orSay:on:)``.
    static func requireNothing(of table: String, on path: String) throws {
        try run("ALTER TABLE \(table) DROP COLUMN guard", on: path)
    }

    /// Keeps the locks that `sql` takes while `body` runs.
    static func holding(_ sql: String, on path: String, _ body: () async throws -> Void)
        async throws
    {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle
        else { throw CocoaError(.fileReadUnknown) }
        // A read lock is held only while a statement has rows left, or until the transaction ends.
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw CocoaError(.fileLocking)
        }
        try await body()
    }

    /// Copies the store and its journal as they are after `sql`, which leaves a transaction open.
    static func copyMidTransaction(_ sql: String, of path: String, to copy: String) throws {
        try SQLiteConnection.with(path: path, flags: SQLITE_OPEN_READWRITE, location: path) {
            connection in
            try connection.execute(sql)
            for suffix in ["-journal", "-wal", ""] where access(path + suffix, F_OK) == 0 {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            if sqlite3_get_autocommit(connection.handle) == 0 {
                try connection.execute("ROLLBACK")
            }
        }
    }
}

extension Schema {
    /// SQL that makes a new list as the program of that version did.
    static func script(version: Int) -> String {
        """
        PRAGMA application_id = \(StoreHeader.applicationID);
        \(current.migrations.prefix(version).joined())
        PRAGMA user_version = \(version);
        """
    }
}

extension SQLiteStorage {
    /// The value of a pragma of the storage's own connection.
    func pragma(_ name: String) async throws -> Int64? {
        try await perform { try $0.pragma(name) }
    }

    /// Limits the storage's own connection to a number of pages, like a full disk.
    func limitPages(to count: Int) async throws {
        _ = try await pragma("max_page_count = \(count)")
    }
}

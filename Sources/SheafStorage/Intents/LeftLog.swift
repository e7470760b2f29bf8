import CSQLite
import FoundationEssentials
import Glibc
import SheafCore
import SheafFormats
import Swidux

/// The intent log of a process that has ended, held so that no other process takes it in too.
public final class LeftLog {
    public let path: String
    /// What to do, one batch after the other: each is in the store already, or nothing of it is.
    let batches: [StorageChanges]
    /// The list that it is of, by its absolute path; nil if an older version wrote it.
    public let list: StoreURL?
    private let connection: SQLiteConnection
    private var isOpen = true

    /// Opens the log at `path`.
    ///
    /// - Throws: `StorageError`: `.busy` if its owner lives, `.foreign` if it is no intent log,
    ///   `.readOnly` if it cannot be held, because nothing can be written where it lies.
    init(_ path: String) throws(StorageError) {
        self.path = path
        try Companions(of: StoreFile(named: path)).check()
        connection = try SQLiteConnection.open(
            path, flags: SQLITE_OPEN_READWRITE | IntentFiles.noFollow, location: path)
        do {
            guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
                throw StorageError(
                    .readOnly, at: path, reason: "the intent log can only be read",
                    advice: "Its changes are recovered once it can be written to.")
            }
            try connection.harden()
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("BEGIN EXCLUSIVE; COMMIT")
            (batches, list) = try Self.content(of: connection)
        } catch {
            connection.close()
            throw Self.failure(error, at: path)
        }
    }

    deinit { close() }

    private func close() {
        if isOpen { connection.close() }
        isOpen = false
    }

    /// What SQLite says of a damaged file is about a list.
    private static func failure(_ error: any Error, at path: String) -> StorageError {
        if let error = error as? StorageError, ![.corrupt, .foreign].contains(error.code) {
            return error
        }
        return StorageError(
            .corrupt, at: path, reason: "the intent log is damaged",
            advice: "Keep it: it may hold unsaved changes.")
    }

    /// Whether the file at `path` is an intent log, by its header.
    static func isLog(_ path: String) -> Bool {
        do {
            let file = try RegularFile(path)
            let header = try file.read(upTo: 72)
            guard header.starts(with: Array("SQLite format 3\0".utf8)), header.count == 72 else {
                return false
            }
            return header[68..<72].reduce(0) { $0 << 8 | Int($1) } == IntentFiles.applicationID
        } catch {
            return false
        }
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

    /// Leaves `changes` alone in the log.
    ///
    /// - Throws: `StorageError`; then it is as it was.
    func keep(_ changes: StorageChanges) throws {
        let insertion = try connection.statement("INSERT INTO intents (changes) VALUES (?1)")
        try connection.transaction("BEGIN IMMEDIATE") {
            try connection.execute("DELETE FROM intents; UPDATE handed SET number = NULL")
            try insertion.bind(utf8: ChangesText.members(of: changes), at: 1)
            try insertion.run()
        }
    }

    private static func content(
        of connection: SQLiteConnection
    ) throws -> ([StorageChanges], StoreURL?) {
        // The owner may have ended before there was a table.
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else {
            return ([], nil)
        }
        guard try connection.integer("PRAGMA application_id") == Int64(IntentFiles.applicationID)
        else {
            throw StorageError(
                .foreign, at: connection.location, reason: "this is not an intent log")
        }
        guard try connection.integer("PRAGMA user_version") == 1 else {
            throw StorageError(
                .newer, at: connection.location,
                reason: "a newer version of the program wrote this intent log",
                advice: "Update the program to recover its changes.")
        }
        let handed = try connection.integer("SELECT number FROM handed") ?? 0
        let rows = try connection.statement("SELECT number, changes FROM intents ORDER BY number")
        var first = Records()
        var second = Records()
        while try rows.step() {
            let text = "{\(rows.text(1))}"
            let changes = try ChangesText.changes(try ChangesText.object(Data(text.utf8)))
            if rows.integer(0) <= handed {
                first.add(changes)
            } else {
                second.add(changes)
            }
        }
        let batches = [first.changes, second.changes(after: first)].filter { !$0.isEmpty }
        return (batches, try list(connection))
    }

    private static func list(_ connection: SQLiteConnection) throws -> StoreURL? {
        let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'origin'"
        guard try connection.integer(tables) == 1,
            let text = try connection.text("SELECT list FROM origin"),
            StoreURL.Backend.allCases.contains(where: { text.hasPrefix("\($0.rawValue):/") })
        else { return nil }
        do { return try StoreURL(text) } catch { return nil }
    }
}

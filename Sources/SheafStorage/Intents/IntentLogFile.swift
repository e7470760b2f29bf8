import CSQLite
import Glibc
import SheafCore
import Swidux

/// The intent log of one process: what it showed and has not committed yet, in a private file
/// beside the store.
///
/// A small SQLite database in WAL mode with nothing synced: a record is one append of the
/// write-ahead log, with SQLite's checksums and atomicity, and survives the process though not the
/// loss of power. The owner holds it locked as long as it lives, so that whoever can lock it knows
/// that the owner has ended; see ``IntentReplay``.
///
/// The file is made with the first change and goes with the last connection.
@MainActor
public final class IntentLogFile: IntentLog {
    private let folder: StoreFile
    private let files: IntentFiles
    /// Of the log, once there is one; a name that failed is not used again.
    private var path = ""
    private var database: Database?
    private var isClosed = false

    private struct Database {
        let append: SQLiteStatement
        let handOver: SQLiteStatement
        let committed: SQLiteStatement
        let connection: SQLiteConnection
        /// How many records there are, and how many of them are being committed.
        var count = 0
        var handed = 0
    }

    /// A log for the store at `place`. Nothing is made yet.
    public init(for place: FilePlace) {
        folder = place.file
        files = IntentFiles(of: folder)
    }

    /// Appends a record. About 15 µs, and once a fraction of a millisecond to make the file.
    public func append(_ changes: StorageChanges) throws {
        guard !changes.isEmpty, !isClosed else { return }
        if database == nil { database = try open() }
        guard let database else { return }
        let text = ChangesText.members(of: changes)
        try database.append.bind(utf8: text, at: 1)
        try database.append.run()
        self.database?.count += 1
    }

    public func replace(with changes: StorageChanges) throws {
        guard !isClosed, !changes.isEmpty || database.map({ $0.count > 0 }) ?? false else { return }
        if database == nil { database = try open() }
        guard let database else { return }
        try database.connection.transaction("BEGIN IMMEDIATE") {
            try database.connection.execute("DELETE FROM intents; UPDATE handed SET number = NULL")
            guard !changes.isEmpty else { return }
            try database.append.bind(utf8: ChangesText.members(of: changes), at: 1)
            try database.append.run()
        }
        self.database?.count = changes.isEmpty ? 0 : 1
        self.database?.handed = 0
    }

    public func handOver() throws {
        guard let database, database.count > 0 else { return }
        try database.handOver.run()
        self.database?.handed = database.count
    }

    public func committed() throws {
        guard let database, database.handed > 0 else { return }
        try database.committed.run()
        self.database?.count -= database.handed
        self.database?.handed = 0
    }

    /// Ends the log. The file goes, unless it is to keep what is not committed.
    public func close(keepsRest: Bool) {
        isClosed = true
        guard let database else { return }
        self.database = nil
        if !keepsRest {
            // Emptied before it goes: somebody may be waiting to replay it.
            empty(database)
            unlink(path)
        }
        // Statements end with their owner, the connection after the last of them.
        database.connection.close()
        if !keepsRest { unlink(path + "-wal") }
    }

    private func empty(_ database: Database) {
        do {
            try database.connection.execute("DELETE FROM intents")
        } catch {
            // A batch that stays in the log is found to be in the store when it is replayed.
        }
    }

    private func open() throws -> Database {
        path = files.newPath()
        try folder.makeFile(at: path)
        do {
            let connection = try SQLiteConnection.open(
                path, flags: SQLITE_OPEN_READWRITE | IntentFiles.noFollow, location: path)
            try connection.execute(IntentFiles.settings + IntentFiles.tables)
            return Database(
                append: try connection.statement("INSERT INTO intents (changes) VALUES (?1)"),
                handOver: try connection.statement(
                    "UPDATE handed SET number = (SELECT max(number) FROM intents)"),
                committed: try connection.statement(
                    "DELETE FROM intents WHERE number <= (SELECT number FROM handed)"),
                connection: connection)
        } catch {
            for suffix in [""] + Companions.contents { unlink(path + suffix) }
            throw error
        }
    }
}

import CSQLite
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList

/// The contents of an intent log.
struct LogRecords: Equatable {
    /// The changes, one batch per commit. The store has all changes of a batch or none.
    var batches: [StorageChanges] = []
    /// The address of the log's list. Nil if the owner ended before it made a table.
    var list: String?
    /// The address of the server where the process had the list. Empty for a list in a file.
    var address = ""
    /// The identity of a list on a server. Nil if the process did not know it, or for a list in a
    /// file.
    var owner: ServerList.Identity?
    /// The identity of a list in a file. Empty if it was not known.
    var identity = ListIdentity()
    /// True if the last records are in the write-ahead log, that is, until the owner has closed the
    /// log.
    var needsWAL = false
    /// True if the owner had made the tables before it ended.
    var hasTables = false
    /// The reasons why a list refused all of the changes, one sentence per row. Empty if no list
    /// has refused them yet.
    var refusals: [String] = []

    /// Reads the log at `path` without writing any file beside it.
    ///
    /// - Throws: `StorageError`: `.busy` if its owner is alive, `.notFound` if the log no longer
    ///   exists.
    init(readingCopyOf path: String) throws {
        guard let copy = try Self.copy(of: path) else { return }
        self = try withExtendedLifetime(copy) {
            try AbandonedLog(copy.path, location: path).records
        }
    }

    /// Returns the records of the log at `path` as JSON objects. The log may be of an earlier
    /// version.
    ///
    /// - Throws: as ``init(readingCopyOf:)``.
    static func texts(readingCopyOf path: String) throws -> [Data] {
        guard let copy = try copy(of: path) else { return [] }
        return try withExtendedLifetime(copy) {
            try LogHeader.repair(copy.path)
            return try SQLiteConnection.with(
                path: copy.path, flags: SQLITE_OPEN_READWRITE, location: path
            ) { connection in
                try connection.harden()
                let rows = try connection.statement("SELECT changes FROM intents ORDER BY number")
                var texts: [Data] = []
                while try rows.step() { texts.append(Data("{\(rows.text(0))}".utf8)) }
                return texts
            }
        }
    }

    /// Copies the log at `path` to a private folder. Beside the log, SQLite would make an empty
    /// write-ahead log. In a folder that is not writable, SQLite cannot open a log at all.
    ///
    /// - Returns: nil if the log is still empty.
    private static func copy(of path: String) throws -> DatabaseCopy? {
        let file = try StoreFile(named: path)
        try SidecarFiles(of: file).check()
        // SQLite makes the write-ahead log after the first page.
        let hasRecords = access(path + "-wal", F_OK) == 0
        var status = stat()
        guard lstat(path, &status) == 0 else { throw FileFailure.reading(errno, at: path) }
        if status.st_size > 0 {
            try checkOwner(of: path)
        } else if !hasRecords {
            return nil
        }
        return try DatabaseCopy(of: file) { status throws(StorageError) in
            guard FileTrust.isOwn(status) else {
                throw StorageError(
                    .cannotOpen, at: path, reason: "another user may have written this intent log")
            }
        }
    }

    /// Checks through SQLite, which also knows the locks of this process, that the owner of the log
    /// has ended. A read-only connection that asks for exclusive locking fails right after it takes
    /// the lock, before it makes a file.
    ///
    /// - Throws: `.busy` if the owner of the log is alive.
    private static func checkOwner(of path: String) throws(StorageError) {
        let connection = try SQLiteConnection.open(
            path, flags: SQLITE_OPEN_READONLY | IntentDatabase.noFollow, location: path)
        defer { connection.close() }
        do {
            try connection.harden()
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        } catch let error as StorageError where error.code == .busy {
            throw error
        } catch {
            return
        }
    }

    /// Reads the log that `connection` has open.
    init(of connection: SQLiteConnection) throws {
        needsWAL = try connection.text("PRAGMA journal_mode") == "wal"
        // The owner may have ended before it made a table.
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else { return }
        guard try connection.integer("PRAGMA application_id") == Int64(IntentDatabase.applicationID)
        else {
            throw StorageError(
                .foreign, at: connection.location, reason: "this is not an intent log")
        }
        hasTables = true
        try Self.checkVersion(of: connection)
        var handed = try Self.handed(connection)
        let last = try Self.lastComplete(connection)
        let rows = try connection.statement(
            "SELECT number, changes FROM intents WHERE number <= \(last) ORDER BY number")
        batches = [StorageChanges()]
        while try rows.step() {
            while let last = handed.first?.number, last < rows.integer(0) {
                handed.removeFirst()
                batches.append(StorageChanges())
            }
            let text = "{\(rows.text(1))}"
            let changes = try ChangesText.changes(try ChangesText.object(Data(text.utf8)))
            batches[batches.count - 1].add(changes)
            batches[batches.count - 1].batch = handed.first?.batch
        }
        var earlier = StorageChanges()
        for index in batches.indices {
            let batch = batches[index]
            batches[index].begin(with: earlier)
            earlier.add(batch)
        }
        batches.removeAll(where: \.isEmpty)
        list = try Self.list(connection)
        address = try connection.text("SELECT coalesce(address, '') FROM origin") ?? ""
        owner = try Self.owner(connection)
        identity = ListIdentity(
            text: try connection.text("SELECT coalesce(sample, '') FROM origin") ?? "")
        if try connection.integer("SELECT closed FROM origin") == 1 { needsWAL = false }
        guard try Self.hasTable("refused", connection) else { return }
        let reasons = try connection.statement("SELECT reason FROM refused ORDER BY rowid")
        while try reasons.step() { refusals.append(reasons.text(0)) }
    }

    /// Refuses a log of another version. A newer log may have fields that this program would lose.
    ///
    /// - Throws: `.older` or `.newer` if the log is of another version.
    private static func checkVersion(of connection: SQLiteConnection) throws {
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard version >= IntentDatabase.version else {
            throw StorageError(
                .older, at: connection.location,
                reason: "an earlier version of the program wrote this intent log",
                advice: "'sheaf doctor' prints what it holds.")
        }
        guard version == IntentDatabase.version else {
            throw StorageError(
                .newer, at: connection.location,
                reason: "a newer version of the program wrote this intent log",
                advice: "Update the program to recover its changes.")
        }
    }

    /// Returns the number of the last valid record. Later records belong to an interrupted command.
    private static func lastComplete(_ connection: SQLiteConnection) throws -> Int64 {
        guard try hasTable("grouped", connection) else { return .max }
        return try connection.integer("SELECT number FROM grouped") ?? .max
    }

    /// Returns the begun commits, each with its last record.
    private static func handed(
        _ connection: SQLiteConnection
    ) throws -> [(number: Int64, batch: BatchName?)] {
        let rows = try connection.statement("SELECT number, batch FROM handed ORDER BY number")
        var handed: [(number: Int64, batch: BatchName?)] = []
        while try rows.step() { handed.append((rows.integer(0), BatchName(rows.text(1)))) }
        return handed
    }

    private static func list(_ connection: SQLiteConnection) throws -> String? {
        guard let address = try connection.text("SELECT list FROM origin"),
            StoreURL.isOfServer(address) || StoreURL(address: address) != nil
        else { return nil }
        return address
    }

    private static func owner(_ connection: SQLiteConnection) throws -> ServerList.Identity? {
        let origin = try connection.statement("SELECT id, role, database FROM origin")
        guard try origin.step(), let id = UUID(uuidString: origin.text(0)) else {
            return nil
        }
        return ServerList.Identity(id: id, role: origin.text(1), database: origin.text(2))
    }

    /// Returns true if the log has the table. ``AbandonedLog/replaceRecords(with:refused:)`` drops
    /// one table and adds another.
    private static func hasTable(_ name: String, _ connection: SQLiteConnection) throws -> Bool {
        let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'"
        return try connection.integer(tables) == 1
    }
}

extension StorageChanges {
    /// Sets missing bases to the values of `earlier` changes, because a log writes each value only
    /// once.
    fileprivate mutating func begin(with earlier: StorageChanges) {
        func begin(_ kind: (some ListEntity).Type) { self[kind].begin(with: earlier[kind]) }
        for kind in Kinds.all { begin(kind) }
    }
}

extension EntityChanges {
    fileprivate mutating func begin(with earlier: EntityChanges) {
        for (id, change) in elements where change.before == nil {
            self[id]?.before = earlier[id]?.after
        }
    }
}

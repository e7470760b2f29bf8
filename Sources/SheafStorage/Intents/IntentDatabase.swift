import CSQLite
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SwiduxFiles

/// The open database of an intent log, with its statements.
struct IntentDatabase {
    /// The folders where a log can be. If the program cannot write beside the list, or if the list
    /// is on a server, the log is in the state folder.
    enum Folder: CaseIterable { case list, state }

    /// `SQLITE_OPEN_NOFOLLOW`: SQLite does not follow a link that another user planted.
    static let noFollow: Int32 = 0x0100_0000

    /// The settings before WAL mode begins. EXCLUSIVE keeps the lock from the first access to the
    /// last, and needs no shared-memory file. The application id is written to the file at this
    /// point, so that the header identifies the log of a killed process.
    static let settings = """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
        PRAGMA application_id = \(applicationID);
        """

    /// The settings that switch to WAL mode. The write-ahead log must already exist, because a log
    /// without a write-ahead log counts as incomplete. With SQLite's default of 1,000 pages between
    /// checkpoints, the write-ahead log would grow to 4 MB. That may be all the space left on a
    /// full disk.
    static let writeAheadSettings = """
        PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 16;
        PRAGMA journal_size_limit = 65536;
        """

    /// The settings of a log with records that must survive a power loss.
    ///
    /// An unsynced checkpoint can lose records that were synced earlier, because the system may
    /// overwrite old frames before it writes the pages copied from them. With NORMAL, SQLite syncs
    /// before and after a checkpoint, but not after each record. These syncs take milliseconds, so
    /// a checkpoint happens only about once in 80 records. The log stays below 1 MB.
    static let durableSettings =
        "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 256;"

    /// The settings of a log that no longer has such records, as in ``settings``.
    static let volatileSettings = "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 16;"

    /// The tables of a log.
    ///
    /// - `handed`: for each commit that was begun, its last record and, on a server, its
    ///   ``BatchName``. If the commit was made, the store has all records up to that one.
    /// - `grouped`: the last record before an incomplete command. Later records are ignored.
    /// - `origin`: the list, for a log that has been moved. For a list on a server it includes
    ///   identity and address; for a list in a file, the text of its ``ListIdentity``. `closed` is
    ///   set last, for a log that needs no write-ahead log.
    static let tables = """
        BEGIN;
        PRAGMA user_version = \(version);
        CREATE TABLE intents (number INTEGER PRIMARY KEY AUTOINCREMENT, changes TEXT NOT NULL) STRICT;
        CREATE TABLE handed (number INTEGER NOT NULL, batch TEXT PRIMARY KEY) STRICT;
        CREATE TABLE grouped (number INTEGER NOT NULL) STRICT;
        CREATE TABLE origin (
          list TEXT NOT NULL, address TEXT, id TEXT, role TEXT, database TEXT, sample TEXT,
          closed INTEGER) STRICT;
        COMMIT;
        """

    /// The version that this program writes, and the only one that it can adopt.
    static let version = FormatVersions.current.logs

    /// The `application_id` of an intent log: "ShIn".
    static let applicationID = 0x5368_496E

    let path: String
    let folder: Folder
    let committed: SQLiteStatement
    let connection: SQLiteConnection
    /// The number of records, and the number of them that are being committed.
    var count = 0
    var handed = 0
    /// The total size of all appended records in bytes, including deleted ones.
    var bytes = 0
    /// The number of records, from the oldest on, that must survive a power loss.
    var synced = 0
    private let handing: SQLiteStatement
    /// The open files of the log, for syncing.
    var files: [OpenFile] = []
    /// The identities of the log's files when they were made.
    private let made: [FileVersion.Identity?]
    private let insertion: SQLiteStatement
    /// The list on a server. Nil for a list in a file.
    private let server: ServerList?
    /// The ids of a list in a file. Nil for a list on a server.
    private let currentIdentity: CurrentListIdentity?
    /// The identities that the log already names.
    private var writtenServer: ServerList.Identity?
    private var written = ListIdentity()
    /// True if the log was made before its list was known. Its name then lacks the list's key.
    private let isProvisional: Bool

    /// Creates a log of the list at `location` in the empty file at `path`. If that fails, it
    /// removes the file.
    ///
    /// - Throws: `StorageError`.
    init(at path: String, in folder: Folder, of location: any Location) throws {
        server = location.server
        isProvisional = server != nil && server?.identity == nil
        currentIdentity = location.file?.currentIdentity
        do {
            (self.path, self.folder) = (path, folder)
            connection = try SQLiteConnection.open(
                path, flags: SQLITE_OPEN_READWRITE | Self.noFollow, location: path)
            try connection.execute(Self.settings)
            try StoreFile(named: path).makeFile(at: path + "-wal")
            try connection.execute(Self.writeAheadSettings + Self.tables)
            let origin = try connection.statement(
                "INSERT INTO origin (list, address) VALUES (?1, ?2)")
            try origin.bind(location.address, at: 1)
            try origin.bind(location.server?.address, at: 2)
            try origin.run()
            insertion = try connection.statement("INSERT INTO intents (changes) VALUES (?1)")
            handing = try connection.statement(
                """
                INSERT INTO handed SELECT max(number), ?1 FROM intents WHERE true
                ON CONFLICT (batch) DO UPDATE SET number = excluded.number
                """)
            committed = try connection.statement(
                "DELETE FROM intents WHERE number <= (SELECT max(number) FROM handed)")
            made = Self.identities(at: path)
        } catch {
            Self.remove(path)
            throw error
        }
    }

    /// True if the files of the log are still in place. A cleanup of the folder, such as `git
    /// clean`, removes them. Takes a few microseconds.
    var isInPlace: Bool { Self.identities(at: path) == made }

    private static func identities(at path: String) -> [FileVersion.Identity?] {
        [path, path + "-wal"].map { path in
            var status = stat()
            return lstat(path, &status) == 0 ? FileVersion.Identity(status) : nil
        }
    }

    /// Appends a record.
    mutating func append(_ changes: StorageChanges) throws {
        try identify()
        let text = ChangesText.members(of: changes)
        try insertion.bind(utf8: text, at: 1)
        try insertion.run()
        bytes += text.count
    }

    /// Writes the identity of the list to the log once it is known. Writes it again when the ids of
    /// a list in a file have changed, or when a list on a server has moved to another database.
    mutating func identify() throws {
        if let identity = server?.identity, identity != writtenServer {
            let origin = try connection.statement(
                "UPDATE origin SET id = ?1, role = ?2, database = ?3")
            try origin.bind(identity.id.uuidString, at: 1)
            try origin.bind(identity.role, at: 2)
            try origin.bind(identity.database, at: 3)
            try origin.run()
            writtenServer = identity
        }
        guard let identity = currentIdentity?.value, identity != written else { return }
        let origin = try connection.statement("UPDATE origin SET sample = ?1")
        try origin.bind(identity.text, at: 1)
        try origin.run()
        written = identity
    }

    /// Records that all records are being committed.
    mutating func handOver() throws {
        try identify()
        try handing.bind(server?.nextBatch?.description ?? "", at: 1)
        try handing.run()
        handed = count
    }

    /// Returns the path and the connection of a log that can be replaced by a new one. All its
    /// records must be in a commit. In addition, it must have held more than `bytes`, or been made
    /// before its list was known.
    func disposable(above bytes: Int) -> (path: String, connection: SQLiteConnection)? {
        guard handed > 0, handed == count else { return nil }
        return self.bytes > bytes || isProvisional && writtenServer != nil
            ? (path, connection) : nil
    }

    /// Begins a group: the records appended until ``endGroup()`` belong together.
    func beginGroup() throws {
        try connection.execute(
            "INSERT INTO grouped SELECT coalesce(max(number), 0) FROM intents")
    }

    func endGroup() throws { try connection.execute("DELETE FROM grouped") }

    /// Closes the connection. As its last step SQLite moves the write-ahead log into the file and
    /// removes it.
    func close() {
        do {
            try connection.execute("UPDATE origin SET closed = 1")
        } catch {
            // The file cannot be marked as complete, so the write-ahead log must stay.
            csq_harden(connection.handle)
        }
        connection.close()
    }

    /// Removes the files of the log at `path`.
    static func remove(_ path: String) {
        for suffix in [""] + SidecarFiles.contents { unlink(path + suffix) }
    }
}

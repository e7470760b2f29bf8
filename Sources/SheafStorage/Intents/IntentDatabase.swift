import CSQLite
import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SwiduxFiles

/// The open database of an intent log, with its statements.
struct IntentDatabase {
    /// The folders where a log can lie: that of the list's file, or the state folder, where nothing
    /// can be written beside the list, or where it is on a server.
    enum Folder: CaseIterable { case list, state }

    /// `SQLITE_OPEN_NOFOLLOW`: a link that another user planted is not followed.
    static let noFollow: Int32 = 0x0100_0000

    /// EXCLUSIVE keeps the lock from the first access to the last, and needs no file for shared
    /// memory. The id is in the file itself before the write-ahead log takes over, so that the log
    /// of a process that was killed is known by its header.
    static let settings = """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
        PRAGMA application_id = \(applicationID);
        """

    /// Has the write-ahead log take over, which must be there by then: a log that says that it has
    /// one and has none lacks records. With SQLite's 1,000 pages between two checkpoints it would
    /// grow to 4 MB, which may be all that a full disk has left.
    static let writeAheadSettings = """
        PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 16;
        PRAGMA journal_size_limit = 65536;
        """

    /// For a log with records that are to survive the loss of power. A checkpoint that is not
    /// synced can lose earlier synced records: the system may write the next frames over the old
    /// ones before it writes the pages that were copied from these. With NORMAL, SQLite syncs
    /// before and after the copying, but no single record. That takes milliseconds, so it happens
    /// once in some 80 records; the log stays below 1 MB.
    static let durableSettings =
        "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 256;"

    /// For a log that has none any longer, as ``settings``.
    static let volatileSettings = "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 16;"

    /// `handed` has the last record of each commit that was begun, and its ``BatchName`` on a
    /// server: the records up to it are in the store if it was made. `grouped` has the last record
    /// before those of a command that is not complete: a log that ends with it holds none of them.
    /// `origin` names the list, for a log that has been moved; for a list on a server it also has
    /// its identity and address, for one in a file the text of its ``ListIdentity``. `closed` is
    /// set last of all, for a log that needs no write-ahead log.
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

    /// The version that is written, and the only one that is taken in.
    static let version = FormatVersions.current.logs

    /// "ShIn", as `application_id` has it.
    static let applicationID = 0x5368_496E

    let path: String
    let folder: Folder
    let committed: SQLiteStatement
    let connection: SQLiteConnection
    /// How many records there are, and how many of them are being committed.
    var count = 0
    var handed = 0
    /// How large it has become, records that are gone included.
    var bytes = 0
    /// How many are to survive the loss of power, the oldest.
    var synced = 0
    private let handing: SQLiteStatement
    /// For syncing.
    var files: [OpenFile] = []
    /// The files as they were made.
    private let made: [FileVersion.Identity?]
    private let insertion: SQLiteStatement
    /// The list on a server; nil if it is in a file.
    private let server: ServerList?
    /// The identity of the list in a file.
    private let sample: ListSample?
    /// The identities that the log names.
    private var writtenServer: ServerList.Identity?
    private var written = ListIdentity()
    /// True if the log was made before its list was known: its name lacks the identity.
    private let isProvisional: Bool

    /// Makes a log of `list` of the empty file at `path`, which goes if that fails.
    ///
    /// - Throws: `StorageError`.
    init(at path: String, in folder: Folder, of location: any Location) throws {
        server = location.server
        isProvisional = server != nil && server?.identity == nil
        sample = location.file?.sample
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

    /// False if the files of the log were removed or moved. A cleanup of the folder does that, for
    /// example `git clean`. Takes a few microseconds.
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

    /// Writes which list it is of, once that is known, and again when the ids of a list in a file
    /// have changed, or when a list on a server has come back in another database.
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
        guard let identity = sample?.identity, identity != written else { return }
        let origin = try connection.statement("UPDATE origin SET sample = ?1")
        try origin.bind(identity.text, at: 1)
        try origin.run()
        written = identity
    }

    /// Records that all of it is being committed.
    mutating func handOver() throws {
        try identify()
        try handing.bind(server?.nextBatch?.description ?? "", at: 1)
        try handing.run()
        handed = count
    }

    /// Where it is, if all of it is committed and it has held more than `bytes`, or has the name of
    /// a log whose list is not known.
    func disposable(above bytes: Int) -> (path: String, connection: SQLiteConnection)? {
        guard handed > 0, handed == count else { return nil }
        return self.bytes > bytes || isProvisional && writtenServer != nil
            ? (path, connection) : nil
    }

    /// What is appended from now on belongs together, until ``endGroup()``.
    func beginGroup() throws {
        try connection.execute(
            "INSERT INTO grouped SELECT coalesce(max(number), 0) FROM intents")
    }

    func endGroup() throws { try connection.execute("DELETE FROM grouped") }

    /// Ends the connection, whose last act moves the write-ahead log into the file and removes it.
    func close() {
        do {
            try connection.execute("UPDATE origin SET closed = 1")
        } catch {
            // Where the file cannot say that it is whole, the write-ahead log stays.
            csq_harden(connection.handle)
        }
        connection.close()
    }

    /// Takes the files of the log at `path` away.
    static func remove(_ path: String) {
        for suffix in [""] + Companions.contents { unlink(path + suffix) }
    }
}

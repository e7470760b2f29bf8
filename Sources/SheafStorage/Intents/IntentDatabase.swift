import CSQLite
import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// The open database of an intent log, with its statements.
struct IntentDatabase {
    let path: String
    let place: IntentFiles.Home
    let handOver: SQLiteStatement
    let committed: SQLiteStatement
    let connection: SQLiteConnection
    /// How many records there are, and how many of them are being committed.
    var count = 0
    var handed = 0
    /// How large it has become, records that are gone included.
    var bytes = 0
    /// How many are to survive the loss of power, the oldest.
    var synced = 0
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
    init(at path: String, in place: IntentFiles.Home, of location: any Location) throws {
        server = location.server
        isProvisional = server != nil && server?.identity == nil
        sample = location.file?.sample
        do {
            (self.path, self.place) = (path, place)
            connection = try SQLiteConnection.open(
                path, flags: SQLITE_OPEN_READWRITE | IntentFiles.noFollow, location: path)
            try connection.execute(IntentFiles.settings)
            try StoreFile(named: path).makeFile(at: path + "-wal")
            try connection.execute(IntentFiles.writeAheadSettings + IntentFiles.tables)
            let origin = try connection.statement(
                "INSERT INTO origin (list) VALUES (?1)")
            try origin.bind(location.address, at: 1)
            try origin.run()
            insertion = try connection.statement("INSERT INTO intents (changes) VALUES (?1)")
            handOver = try connection.statement(
                "UPDATE handed SET number = (SELECT max(number) FROM intents)")
            committed = try connection.statement(
                "DELETE FROM intents WHERE number <= (SELECT number FROM handed)")
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

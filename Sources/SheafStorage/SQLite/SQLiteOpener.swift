import CSQLite
import Glibc
import SheafList
import SwiduxFiles

/// An opener of a store's file, which first checks that the file is a store.
struct SQLiteOpener {
    let file: StoreFile
    var mode: OpenMode
    /// The time to wait for a lock after the store is open.
    let busyTimeout: Duration
    /// The time to wait for a lock while the store is being opened.
    let openingTimeout: Duration
    let schema: Schema
    let currentIdentity: CurrentListIdentity
    /// True if no other process sees the file before it is complete and synced. It then needs no
    /// journal on disk.
    var isDraft = false

    /// The parts of an open store.
    struct Opened {
        var connection: SQLiteConnection
        var session: SQLiteSession
        var readOnlyReason: String?
    }

    /// Opens the store.
    ///
    /// - Parameter check: throws if the list is not the expected one. Called in a transaction,
    ///   before the first write to the list.
    func open(
        checking check: (SQLiteConnection) throws -> Void = { _ in }
    ) throws -> Opened {
        let identity = try existingOrMade()
        let header = try StoreHeader(of: file)
        try header.check(newest: schema.version, at: file.location)
        let readOnlyReason = Self.reasonAgainstWriting(file, mode)
        let connection = try SQLiteConnection.open(
            file.path,
            flags: readOnlyReason == nil ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY,
            location: file.location)
        do {
            connection.setBusyTimeout(openingTimeout)
            let (watch, fault) = try prepare(
                connection, isReadOnly: readOnlyReason != nil, check)
            // SQLite opens files by name, so it may have opened another file than the one that was
            // checked.
            guard try file.identity() == identity else {
                throw FileFailure.moved(at: file.location)
            }
            connection.setBusyTimeout(busyTimeout)
            let session = try SQLiteSession(
                connection, file: file, identity: identity, readOnlyReason: readOnlyReason,
                schema: watch, currentIdentity: currentIdentity)
            session.updateIdentity()
            if readOnlyReason == nil {
                FileDraft.removeAbandoned(in: file.folder)
                if let fault { session.refuseCommits(because: fault) }
            }
            return Opened(
                connection: connection, session: session, readOnlyReason: readOnlyReason)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Returns the reason why the list in `file` cannot be written, as a sentence, or nil if it
    /// can.
    static func reasonAgainstWriting(_ file: StoreFile, _ mode: OpenMode) -> String? {
        file.reasonAgainstWriting(mode) ?? SidecarFiles(of: file).groupAccessProblem()
    }

    private func existingOrMade() throws -> StoreFile.Identity {
        if let identity = try file.identity() { return identity }
        guard mode.createsStore else {
            throw FileFailure.notFound(at: file.location)
        }
        try file.make { path in
            try SQLiteConnection.with(
                path: path, flags: SQLITE_OPEN_READWRITE, location: file.location
            ) { try schema.create(on: $0, with: mode.rows) }
        }
        guard let identity = try file.identity() else {
            throw FileFailure.moved(at: file.location)
        }
        return identity
    }

    private func prepare(
        _ connection: SQLiteConnection, isReadOnly: Bool,
        _ check: (SQLiteConnection) throws -> Void
    ) throws -> (watch: SchemaWatch, fault: String?) {
        try connection.harden()
        try connection.execute("PRAGMA foreign_keys = ON")
        try SidecarFiles(of: file).check()
        // The first read rolls back an interrupted write and detects a truncated file.
        let watch = try connection.transaction("BEGIN") {
            let watch = try SchemaWatch(schema, on: connection)
            try watch.checkIfChanged()
            try check(connection)
            return watch
        }
        // The cache size in KiB. The tags of items that are neighbors in the list are on different
        // pages. With SQLite's default of 2 MB, the tags of nearly every item would have to be read
        // again from the system. More than 4 MB would be most of the memory that a list of 100,000
        // items needs while it is loaded. After loading, unused memory is released.
        try connection.execute("PRAGMA cache_size = -4000")
        guard !isReadOnly else {
            guard try connection.integer("PRAGMA user_version") == schema.version else {
                throw StorageError(
                    .readOnly, at: file.location,
                    reason: "an older version of the program wrote this list, and it is read-only",
                    advice: "Make it writable, and open it once.")
            }
            return (watch, nil)
        }
        // SQLite up to 3.51.2 can corrupt a database in WAL mode that two processes write.
        guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else {
            throw StorageError(
                .busy, at: file.location, reason: "another program has it open in WAL mode")
        }
        // EXTRA also syncs the folder after the journal is removed. Without it, a power loss can
        // roll back a commit.
        try connection.execute("PRAGMA synchronous = EXTRA")
        guard try connection.integer("PRAGMA synchronous") == 3,
            try connection.integer("PRAGMA foreign_keys") == 1
        else {
            throw StorageError(
                .cannotOpen, at: file.location,
                reason: "SQLite refuses the settings that keep data safe")
        }
        if isDraft {
            try connection.execute("PRAGMA journal_mode = MEMORY")
            try connection.execute("PRAGMA synchronous = OFF")
        }
        let fault = try connection.transaction("BEGIN") { try PageCheck.fault(on: connection) }
        guard try fault == nil || connection.integer("PRAGMA user_version") == schema.version else {
            throw StorageError(
                .corrupt, at: file.location,
                reason: "the list is damaged (\(fault ?? "")), and an older version wrote it",
                advice: "'sheaf doctor' examines it; 'sheaf restore' lists backups.")
        }
        try schema.upgrade(file, on: connection)
        if mode.assignsID, fault == nil { identifyEmpty(connection) }
        return (watch, fault)
    }

    /// Gives an empty list an id. If that fails, the list opens anyway. Without an id, any later
    /// list at the path would adopt the log of this one.
    private func identifyEmpty(_ connection: SQLiteConnection) {
        do {
            try schema.identifyEmpty(on: connection)
        } catch {
            return
        }
    }
}

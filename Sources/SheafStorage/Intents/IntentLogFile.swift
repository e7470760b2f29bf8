import CSQLite
import Dispatch
import Glibc
import SheafList
import Swidux
import SwiduxFiles

/// The intent log of one process: the changes that it has painted but not yet committed. A private
/// file holds them, beside the list or, for a list on a server, in the state folder.
///
/// The file is a small SQLite database in WAL mode without syncs. Writing a record is one append to
/// the write-ahead log, with SQLite's checksums and atomicity. A record survives the process, but
/// not a power loss. Only records adopted from other logs, or kept at the end, are synced, and they
/// remain durable until they are committed. The owner locks the file as long as it lives. A process
/// that can lock the file knows that the owner has ended; see ``AbandonedLogs``.
///
/// The first change makes the file. ``close(givingUp:)`` removes it, unless it holds changes that
/// another process must adopt.
@MainActor
package final class IntentLogFile: ListLog {
    package var isSuspended = false

    private let location: any Location
    private var database: IntentDatabase?
    private var isClosed = false
    /// True if the log lacks a change that could not be written.
    private var isTorn = false
    /// The logs of ended processes, until this log holds their changes.
    private var others: AbandonedLogs?
    /// The changes adopted from those logs.
    private var adopted: [StorageChanges] = []
    private var isAdopting = false
    private var group = Group.none

    /// The progress of a command that writes several records.
    private enum Group {
        case none, began
        /// The log marks the following records as belonging together.
        case marked
    }

    /// Creates a log for the list at `location`, without making a file. Nil if there is no folder
    /// for a log.
    package init?(for location: any Location) {
        self.location = location
        guard !location.logFolders.isEmpty else { return nil }
    }

    // MARK: Changes of this process

    /// Appends a record. Takes about 20 µs, plus a fraction of a millisecond to make the file once.
    package func append(_ changes: StorageChanges) throws {
        guard !changes.isEmpty, !isClosed, !isSuspended else { return }
        try write {
            try checkPlace()
            if database == nil { database = try open() }
            if group == .began {
                try database?.beginGroup()
                group = .marked
            }
            try database?.append(changes)
            database?.count += 1
        }
    }

    package func groupBegan() { group = .began }

    package func groupEnded() throws {
        defer { group = .none }
        guard group == .marked, let database else { return }
        try write { try database.endGroup() }
    }

    package func replace(with changes: StorageChanges) throws {
        guard !isClosed, !isSuspended else { return }
        closeIfMoved()
        if changes.isEmpty { endAdoption(isCommitted: true) }
        guard !changes.isEmpty || database.map({ $0.count > 0 }) ?? false else { return }
        do {
            try write {
                if database == nil { database = try open() }
                try replace(with: [changes])
            }
        } catch {
            // Without a log, a kill would lose all unsaved changes.
            try moveToState(changes, because: error)
        }
        isTorn = false
    }

    /// Closes a log whose files were removed or moved, because no other process would find new
    /// records in it. Returns true if it closed the log. The next log then needs all uncommitted
    /// changes.
    @discardableResult
    private func closeIfMoved() -> Bool {
        guard let database, !database.isInPlace else { return false }
        database.connection.close()
        // Other processes would report the remaining file as a damaged log.
        IntentDatabase.remove(database.path)
        self.database = nil
        return true
    }

    private func checkPlace() throws {
        guard let path = database?.path, closeIfMoved() else { return }
        throw FileFailure.moved(at: path)
    }

    /// Moves the log to the state folder, because the program cannot write beside the list.
    private func moveToState(_ changes: StorageChanges, because reason: any Error) throws {
        guard location.logFolders == [.list, .state], database?.folder != .state,
            let other = try open(in: .state)
        else { throw reason }
        let old = database
        database = other
        do {
            try replace(with: [changes])
        } catch {
            IntentDatabase.remove(other.path)
            other.connection.close()
            database = old
            throw reason
        }
        old?.connection.close()
        if let old { IntentDatabase.remove(old.path) }
    }

    package func handOver() throws {
        guard let database, database.count > 0 else { return }
        try checkPlace()
        try self.database?.handOver()
    }

    package func committed() throws {
        if try replaceLogIfNeeded() { return }
        guard let database, database.handed > 0 else { return }
        try database.committed.run()
        try database.connection.execute("DELETE FROM handed")
        self.database?.count -= database.handed
        self.database?.handed = 0
        try setSynced(database.synced - database.handed)
    }

    /// The size in bytes above which a log is replaced by a new one instead of being emptied.
    /// Deleting the records after a bulk command takes seconds.
    private static let maxReused = 4 << 20

    /// Replaces a log that is large, or that was made before its list was known, once none of its
    /// records are needed. Returns true if it did.
    private func replaceLogIfNeeded() throws -> Bool {
        guard let (path, connection) = database?.disposable(above: Self.maxReused),
            let new = try open()
        else {
            return false
        }
        // Releasing the old database ends its statements.
        database = new
        IntentDatabase.remove(path)
        // When the connection closes, the system frees the file's pages, which also takes time.
        nonisolated(unsafe) let old = connection
        DispatchQueue.global(qos: .utility).async { old.close() }
        return true
    }

    private func write(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            isTorn = true
            throw error
        }
        endAdoption()
    }

    private func replace(with batches: [StorageChanges]) throws {
        guard let database else { return }
        let batches = batches.filter { !$0.isEmpty }
        // The identity is written outside the transaction, which may be rolled back.
        try self.database?.identify()
        try database.connection.transaction("BEGIN IMMEDIATE") {
            try database.connection.execute(
                "DELETE FROM intents; DELETE FROM handed; DELETE FROM grouped")
            for batch in batches { try self.database?.append(batch) }
        }
        self.database?.count = batches.count
        self.database?.handed = 0
        group = .none
        // Until the new records are synced, a power loss would bring back the old ones.
        try setSynced(database.synced > 0 ? batches.count : 0)
    }

    /// Configures checkpoints to keep the oldest `count` records durable from now on.
    private func setSynced(_ count: Int) throws {
        guard let database, max(count, 0) != database.synced else { return }
        self.database?.synced = max(count, 0)
        guard (count > 0) != (database.synced > 0) else { return }
        try database.connection.execute(
            count > 0 ? IntentDatabase.durableSettings : IntentDatabase.volatileSettings)
    }

    // MARK: Changes of ended processes

    package func countAbandoned() async -> Int {
        let location = location
        return await BlockingCalls.run(on: .global()) {
            AbandonedLogs(for: location, isLocked: true).count
        }
    }

    package func abandoned() async -> AbandonedLogContent {
        let (location, isReadOnly) = (location, isSuspended)
        let (others, objections) = await BlockingCalls.run(on: .global()) {
            (
                AbandonedLogs(for: location, isReadOnly: isReadOnly),
                location.objectionsToLogsOfOtherUsers()
            )
        }
        self.others = others
        var content = others.content
        content.unreadable += objections
        return content
    }

    package func adopt(_ body: () -> Void) {
        guard let others, !isSuspended else { return body() }
        adopted = others.content.batches
        isAdopting = true
        body()
        // If the list already has all of the changes, `body` has recorded nothing.
        if !isTorn { endAdoption(isCommitted: adopted.isEmpty) }
    }

    /// Removes the adopted logs once this log holds their changes durably. Until then both hold
    /// them; adopting the same changes twice has no further effect. If the changes are committed,
    /// no log needs them, and the adopted logs are removed at once. Otherwise a later process could
    /// adopt them again and undo newer edits.
    private func endAdoption(isCommitted: Bool = false) {
        guard isAdopting else { return }
        do {
            if !isCommitted { try sync() }
        } catch {
            return
        }
        isAdopting = false
        others?.remove()
        others = nil
    }

    // MARK: The end

    package func close() {
        // When SQLite closes the database, it copies the write-ahead log into it. This makes that
        // copy durable.
        if let handle = database?.connection.handle {
            sqlite3_exec(handle, "PRAGMA synchronous = FULL", nil, nil, nil)
        }
        end()
    }

    package func close(givingUp changes: StorageChanges) {
        if changes.isEmpty { endAdoption(isCommitted: true) }
        guard let database, !isClosed else { return end() }
        let kept = isAdopting ? [] : adopted.map { $0.only(changes.ids) }
        let isEmpty = kept.allSatisfy(\.isEmpty)
        do {
            // Emptied even if the log is removed, because another process may be waiting to adopt
            // it.
            try replace(with: kept)
            if !isEmpty { try sync() }
        } catch {
            // A log with too many records is adopted at the next start. No change is lost.
        }
        guard isEmpty else { return close() }
        end()
        IntentDatabase.remove(database.path)
    }

    package func keep(_ changes: StorageChanges) async throws -> String {
        guard !isClosed, !isSuspended else { throw FileFailure.closed(at: location.name) }
        do {
            if closeIfMoved() || isTorn || database == nil { try replace(with: changes) }
            return try await keep()
        } catch {
            try moveToState(changes, because: error)
            isTorn = false
            return try await keep()
        }
    }

    /// Makes the records of the log durable. Does not block the main thread, because a disk can be
    /// slow.
    private func keep() async throws -> String {
        guard let database else { throw FileFailure.closed(at: location.name) }
        let path = database.path
        try setSynced(database.count)
        let files = try openFiles()
        try await BlockingCalls.run(on: .global()) {
            Result { try Self.sync(files, at: path) }
        }.get()
        return path
    }

    /// Makes the records of the log durable before it returns.
    private func sync() throws {
        guard let database else { return }
        try setSynced(database.count)
        try Self.sync(try openFiles(), at: database.path)
    }

    /// Returns the database file and its write-ahead log. They stay open as long as the database,
    /// because closing a descriptor releases the process's locks on the file.
    private func openFiles() throws -> [OpenFile] {
        guard let database else { return [] }
        if !database.files.isEmpty { return database.files }
        let paths = [database.path] + SidecarFiles.contents.map { database.path + $0 }
        do throws(SystemError) {
            for path in paths where access(path, F_OK) == 0 {
                self.database?.files.append(try OpenFile(path, O_RDONLY | O_NOFOLLOW))
            }
        } catch {
            throw FileFailure.transferring(error.number, at: database.path)
        }
        return self.database?.files ?? []
    }

    private nonisolated static func sync(_ files: [OpenFile], at path: String) throws {
        do throws(SystemError) {
            for file in files { try file.sync() }
            try OpenFile.syncFolder(path.parentPath)
        } catch {
            throw FileFailure.transferring(error.number, at: path)
        }
    }

    /// Closes the log. Releasing `database` ends its statements, and then the connection can close.
    private func end() {
        isClosed = true
        database?.close()
        database = nil
    }

    /// Makes the log in the best folder.
    private func open() throws -> IntentDatabase? {
        try location.logFolders.first.flatMap { try open(in: $0) }
    }

    private func open(in folder: IntentDatabase.Folder) throws -> IntentDatabase? {
        try location.makeLog(in: folder).map {
            try IntentDatabase(at: $0, in: folder, of: location)
        }
    }
}

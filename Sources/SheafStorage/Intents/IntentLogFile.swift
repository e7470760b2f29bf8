import CSQLite
import Dispatch
import Glibc
import SheafList
import Swidux
import SwiduxFiles

/// The intent log of one process: what it showed and has not committed yet, in a private file
/// beside the list, or in the state folder if the list is on a server.
///
/// A small SQLite database in WAL mode with nothing synced: a record is one append of the
/// write-ahead log, with SQLite's checksums and atomicity, and survives the process though not the
/// loss of power. Only what was taken over, or kept at the end, is synced, and stays so until it is
/// committed. The owner holds it locked as long as it lives, so that whoever can lock it knows
/// that the owner has ended; see ``LeftLogs``.
///
/// The file is made with the first change and goes with the last connection.
@MainActor
public final class IntentLogFile: ListLog {
    public var isSuspended = false

    private let location: any Location
    private var database: IntentDatabase?
    private var isClosed = false
    /// Whether it misses a change, because it could not be written.
    private var isTorn = false
    /// The logs of other processes, as long as what they hold is in none of ours.
    private var others: LeftLogs?
    /// What was taken over from them.
    private var takenOver: [StorageChanges] = []
    private var isTakingOver = false
    private var group = Group.none

    /// How far the log has come with a command that is several records.
    private enum Group {
        case none, began
        /// It says that what follows belongs together.
        case marked
    }

    /// A log for the list at `location`; nil where there is none to keep it in. Nothing is
    /// made yet.
    public init?(for location: any Location) {
        self.location = location
        guard !location.logFolders.isEmpty else { return nil }
    }

    // MARK: What this process does

    /// Appends a record. About 20 µs, and once a fraction of a millisecond to make the file.
    public func append(_ changes: StorageChanges) throws {
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

    public func groupBegan() { group = .began }

    public func groupEnded() throws {
        defer { group = .none }
        guard group == .marked, let database else { return }
        try write { try database.endGroup() }
    }

    public func replace(with changes: StorageChanges) throws {
        guard !isClosed, !isSuspended else { return }
        leaveLost()
        if changes.isEmpty { endTakingOver(isCommitted: true) }
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
    /// records in it. Returns true if it did; the next log needs all uncommitted changes.
    @discardableResult
    private func leaveLost() -> Bool {
        guard let database, !database.isInPlace else { return false }
        database.connection.close()
        // Other processes would report the remaining file as a damaged log.
        IntentDatabase.remove(database.path)
        self.database = nil
        return true
    }

    private func checkPlace() throws {
        guard let path = database?.path, leaveLost() else { return }
        throw FileFailure.moved(at: path)
    }

    /// Goes on in the state folder, because nothing can be written beside the list.
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

    public func handOver() throws {
        guard let database, database.count > 0 else { return }
        try checkPlace()
        try self.database?.handOver()
    }

    public func committed() throws {
        if try beginAnew() { return }
        guard let database, database.handed > 0 else { return }
        try database.committed.run()
        try database.connection.execute("DELETE FROM handed")
        self.database?.count -= database.handed
        self.database?.handed = 0
        try setSynced(database.synced - database.handed)
    }

    /// A log that has held more than this is not emptied, once it may be, but left for a new one:
    /// to take so much out of it takes seconds after a bulk command.
    private static let mostReused = 4 << 20

    /// Leaves a log that is large, or made before its list was known, once nothing of it is needed
    /// any longer. Returns true if it did.
    private func beginAnew() throws -> Bool {
        guard let (path, connection) = database?.disposable(above: Self.mostReused),
            let new = try open()
        else {
            return false
        }
        // The statements of the old one end with this.
        database = new
        IntentDatabase.remove(path)
        // The system takes its pages back when it is closed, which takes its time, too.
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
        endTakingOver()
    }

    private func replace(with batches: [StorageChanges]) throws {
        guard let database else { return }
        let batches = batches.filter { !$0.isEmpty }
        // Not within the transaction, which can be rolled back.
        try self.database?.identify()
        try database.connection.transaction("BEGIN IMMEDIATE") {
            try database.connection.execute(
                "DELETE FROM intents; DELETE FROM handed; DELETE FROM grouped")
            for batch in batches { try self.database?.append(batch) }
        }
        self.database?.count = batches.count
        self.database?.handed = 0
        group = .none
        // Until they are synced the old records come back instead.
        try setSynced(database.synced > 0 ? batches.count : 0)
    }

    /// Has checkpoints keep the oldest `count` records on disk from now on.
    private func setSynced(_ count: Int) throws {
        guard let database, max(count, 0) != database.synced else { return }
        self.database?.synced = max(count, 0)
        guard (count > 0) != (database.synced > 0) else { return }
        try database.connection.execute(
            count > 0 ? IntentDatabase.durableSettings : IntentDatabase.volatileSettings)
    }

    // MARK: What others left

    public func countLeft() async -> Int {
        let location = location
        return await BlockingCalls.run(on: .global()) {
            LeftLogs(for: location, isLocked: true).count
        }
    }

    public func left() async -> LeftLogContent {
        let (location, isLooking) = (location, isSuspended)
        let (others, objections) = await BlockingCalls.run(on: .global()) {
            (
                LeftLogs(for: location, isLooking: isLooking),
                location.objectionsToLogsOfOtherUsers()
            )
        }
        self.others = others
        var content = others.content
        content.unreadable += objections
        return content
    }

    public func takeOver(_ body: () -> Void) {
        guard let others, !isSuspended else { return body() }
        takenOver = others.content.batches
        isTakingOver = true
        body()
        // Nothing was recorded of what is in the list already.
        if !isTorn { endTakingOver(isCommitted: takenOver.isEmpty) }
    }

    /// This log has what the others have: once that is durable, they go. Until then both are there,
    /// and what is taken in twice is taken in once. If it is committed, no log need have it, and
    /// they go at once: taken in after later edits, they would undo those.
    private func endTakingOver(isCommitted: Bool = false) {
        guard isTakingOver else { return }
        do {
            if !isCommitted { try sync() }
        } catch {
            return
        }
        isTakingOver = false
        others?.remove()
        others = nil
    }

    // MARK: The end

    public func close() {
        // What SQLite copies from the write-ahead log to the database as it ends is durable then.
        if let handle = database?.connection.handle {
            sqlite3_exec(handle, "PRAGMA synchronous = FULL", nil, nil, nil)
        }
        end()
    }

    public func close(givingUp changes: StorageChanges) {
        if changes.isEmpty { endTakingOver(isCommitted: true) }
        guard let database, !isClosed else { return end() }
        let kept = isTakingOver ? [] : takenOver.map { $0.only(changes.ids) }
        let isEmpty = kept.allSatisfy(\.isEmpty)
        do {
            // Emptied also where it goes: another process may be waiting to take it in.
            try replace(with: kept)
            if !isEmpty { try sync() }
        } catch {
            // A log that holds too much is taken in at the next start; nothing is lost by that.
        }
        guard isEmpty else { return close() }
        end()
        IntentDatabase.remove(database.path)
    }

    public func keep(_ changes: StorageChanges) async throws -> String {
        guard !isClosed, !isSuspended else { throw FileFailure.closed(at: location.name) }
        do {
            if leaveLost() || isTorn || database == nil { try replace(with: changes) }
            return try await keep()
        } catch {
            try moveToState(changes, because: error)
            isTorn = false
            return try await keep()
        }
    }

    /// Has what is in the log survive the loss of power, without the main thread: a disk may take
    /// its time.
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

    /// The same at once.
    private func sync() throws {
        guard let database else { return }
        try setSynced(database.count)
        try Self.sync(try openFiles(), at: database.path)
    }

    /// The database and its write-ahead log. They stay open with it: a descriptor that is closed
    /// ends the process's locks on the file.
    private func openFiles() throws -> [OpenFile] {
        guard let database else { return [] }
        if !database.files.isEmpty { return database.files }
        let paths = [database.path] + Companions.contents.map { database.path + $0 }
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

    /// Statements end with their owner, the connection after the last of them.
    private func end() {
        isClosed = true
        database?.close()
        database = nil
    }

    /// Makes the log where it lies best.
    private func open() throws -> IntentDatabase? {
        try location.logFolders.first.flatMap { try open(in: $0) }
    }

    private func open(in folder: IntentDatabase.Folder) throws -> IntentDatabase? {
        try location.makeLog(in: folder).map {
            try IntentDatabase(at: $0, in: folder, of: location)
        }
    }
}

import CSQLite
import FoundationEssentials
import Glibc
import SheafCore
import Swidux
import Synchronization

/// What processes showed that ended without saving it: read from the logs whose owner has ended.
///
/// As long as the value lives it holds the logs locked, so that no other process replays them too.
public final class IntentReplay: Sendable {
    /// What to commit, one after the other: each as a whole.
    public var batches: [StorageChanges] { waiting.withLock { $0.batches.map(\.changes) } }
    /// Logs that could not be read, each with a reason. They are left as they are.
    public let unreadable: [StorageError]

    private let files: IntentFiles
    private let waiting: Mutex<Waiting>

    private struct Waiting {
        var logs: [Log]
        var batches: [Batch]

        /// The first batch is committed: were it played again, it would undo what others write from
        /// now on.
        mutating func removeFirst() {
            let batch = batches.removeFirst()
            // If it fails, the batch is found to be in the store when it is played again.
            sqlite3_exec(
                batch.connection.handle, "DELETE FROM intents WHERE number <= \(batch.last)", nil,
                nil, nil)
        }
    }

    private struct Log {
        let path: String
        let connection: SQLiteConnection
    }

    private struct Batch {
        var changes: StorageChanges
        let connection: SQLiteConnection
        /// Its records are those up to this one.
        let last: Int64
    }

    /// Looks beside the store at `place`. One look into a folder where there is nothing.
    public init(for place: FilePlace) {
        files = IntentFiles(of: place.file)
        var batches: [Batch] = []
        var unreadable: [StorageError] = []
        var logs: [Log] = []
        for path in files.paths() {
            do {
                let log = Log(
                    path: path,
                    connection: try Self.open(path))
                batches += try Self.batches(of: log)
                logs.append(log)
            } catch let error where error.code == .busy {
                // Its owner lives.
            } catch {
                unreadable.append(error)
            }
        }
        self.unreadable = unreadable
        waiting = Mutex(Waiting(logs: logs, batches: batches))
    }

    deinit {
        waiting.withLock { waiting in
            for log in waiting.logs { log.connection.close() }
        }
    }

    /// Commits what is left of the batches, one after the other; each leaves its log when it is
    /// committed. Then the logs go.
    ///
    /// - Returns: what became of them.
    /// - Throws: `StorageError` of the first that failed; it and those after it are left.
    public func commit(to storage: any ListStorage) async throws -> LeftBehind {
        let left = try await storage.commit(leftBehind: batches) {
            waiting.withLock { $0.removeFirst() }
        }
        finish()
        return left
    }

    /// The number of items and tags that it is about.
    public var count: Int {
        var ids: Set<UUID> = []
        for batch in batches {
            ids.formUnion(batch.items.upserts.map(\.id) + batch.items.deletions)
            ids.formUnion(batch.tags.upserts.map(\.id) + batch.tags.deletions)
        }
        return ids.count
    }

    /// All is committed, or there was nothing to commit: the logs go.
    public func finish() {
        waiting.withLock { waiting in
            for log in waiting.logs {
                // Emptied first: somebody who has opened it already finds nothing to replay.
                let sql = "CREATE TABLE IF NOT EXISTS intents (number); DELETE FROM intents"
                let code = sqlite3_exec(log.connection.handle, sql, nil, nil, nil)
                if code == SQLITE_OK { unlink(log.path) }
                log.connection.close()
                if code == SQLITE_OK { unlink(log.path + "-wal") }
            }
            waiting = Waiting(logs: [], batches: [])
        }
        files.removeOrphans()
    }

    private static func open(_ path: String) throws(StorageError) -> SQLiteConnection {
        try Companions(of: StoreFile(named: path)).check()
        let connection = try SQLiteConnection.open(
            path, flags: SQLITE_OPEN_READWRITE | IntentFiles.noFollow, location: path)
        do {
            try connection.harden()
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// What the log holds. If it throws, the log is closed.
    private static func batches(of log: Log) throws(StorageError) -> [Batch] {
        do {
            return try batches(of: log.connection)
        } catch {
            log.connection.close()
            guard let error = error as? StorageError else {
                throw StorageError(
                    .corrupt, at: log.path, reason: "an intent log is damaged (\(error))")
            }
            throw error
        }
    }

    private static func batches(of connection: SQLiteConnection) throws -> [Batch] {
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection.execute("BEGIN EXCLUSIVE; COMMIT")
        // The owner may have ended before there was a table.
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else {
            return []
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
        var last = handed
        while try rows.step() {
            let text = "{\(rows.text(1))}"
            let changes = try ChangesText.changes(try ChangesText.object(Data(text.utf8)))
            last = rows.integer(0)
            if last <= handed {
                first.add(changes)
            } else {
                second.add(changes)
            }
        }
        return [
            Batch(changes: first.changes, connection: connection, last: handed),
            Batch(changes: second.changes(after: first), connection: connection, last: last),
        ]
        .filter { !$0.changes.isEmpty }
    }
}

/// Records put over each other: one operation for an id, the last, with the first base.
private struct Records {
    private var tags = Operations<Tag>()
    private var items = Operations<Item>()

    mutating func add(_ changes: StorageChanges) {
        tags.add(changes.tags)
        items.add(changes.items)
    }

    var changes: StorageChanges {
        var changes = StorageChanges()
        changes.tags = tags.changes
        changes.items = items.changes
        return changes
    }

    /// The changes, with the values of `earlier` ones for bases that were said there.
    func changes(after earlier: Records) -> StorageChanges {
        var changes = changes
        changes.tags.bases.merge(earlier.tags.values(of: changes.tags)) { own, _ in own }
        changes.items.bases.merge(earlier.items.values(of: changes.items)) { own, _ in own }
        return changes
    }

    private struct Operations<Entity: Identifiable & Sendable> where Entity.ID: Sendable {
        private var order: [Entity.ID] = []
        private var values: [Entity.ID: Entity?] = [:]
        private var bases: [Entity.ID: Entity] = [:]

        mutating func add(_ changes: EntityChanges<Entity>) {
            let operations =
                changes.upserts.map { ($0.id, $0) } + changes.deletions.map { ($0, nil) }
            for (id, value) in operations {
                guard values.updateValue(value, forKey: id) == nil else { continue }
                order.append(id)
                bases[id] = changes.bases[id]
            }
        }

        /// What is written here of those that `later` changes.
        func values(of later: EntityChanges<Entity>) -> [Entity.ID: Entity] {
            let ids = later.upserts.map(\.id) + later.deletions
            return ids.reduce(into: [:]) { found, id in found[id] = values[id] ?? nil }
        }

        var changes: EntityChanges<Entity> {
            var changes = EntityChanges<Entity>()
            for id in order {
                if case .some(.some(let entity)) = values[id] {
                    changes.upserts.append(entity)
                } else {
                    changes.deletions.append(id)
                }
            }
            changes.bases = bases
            return changes
        }
    }
}

import Foundation
import GRDBSQLite
import SheafCore
import Swidux

/// What processes showed that ended without saving it: read from the logs whose owner is gone.
///
/// As long as the value lives it holds the logs locked, so that nobody else replays them too.
public final class IntentReplay {
    /// What to commit, one after the other: each as a whole.
    public private(set) var batches: [StorageChanges] = []
    /// Logs that could not be read, each with a reason. They are left as they are.
    public private(set) var unreadable: [StorageError] = []

    private var logs: [(path: String, connection: SQLiteConnection)] = []

    /// Looks beside the store at `url`. One look into a folder where there is nothing.
    ///
    /// - Throws: `StorageError` if links lead in a circle.
    public init(for url: StoreURL) throws {
        let files = IntentFiles(of: try StoreFile(resolving: url.path))
        for path in files.paths() {
            do {
                try read(path)
            } catch let error where error.code == .busy {
                // Its owner lives.
            } catch {
                unreadable.append(error)
            }
        }
    }

    deinit {
        for log in logs { sqlite3_close_v2(log.connection.handle) }
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
        for (path, connection) in logs {
            // Emptied first: somebody who has opened it already finds nothing to replay.
            let sql = "CREATE TABLE IF NOT EXISTS intents (number); DELETE FROM intents"
            guard sqlite3_exec(connection.handle, sql, nil, nil, nil) == SQLITE_OK else { continue }
            unlink(path)
            sqlite3_close_v2(connection.handle)
            unlink(path + "-wal")
        }
        logs = []
    }

    private func read(_ path: String) throws(StorageError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | IntentFiles.noFollow
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle else { throw StorageError(.io, at: path, reason: "out of memory") }
        let connection = SQLiteConnection(handle, location: path)
        do {
            sqlite3_extended_result_codes(handle, 1)
            guard code == SQLITE_OK else { throw connection.failure() }
            batches += try batches(of: connection)
            logs.append((path, connection))
        } catch {
            sqlite3_close_v2(handle)
            guard let error = error as? StorageError else {
                throw StorageError(
                    .corrupt, at: path, reason: "an intent log is damaged (\(error))")
            }
            throw error
        }
    }

    private func batches(of connection: SQLiteConnection) throws -> [StorageChanges] {
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection.execute("BEGIN EXCLUSIVE; COMMIT")
        // The owner may have ended before there was a table.
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else {
            return []
        }
        guard try connection.integer("PRAGMA application_id") == Int64(IntentFiles.applicationID)
        else {
            throw StorageError(.foreign, at: connection.location, reason: "this is no intent log")
        }
        guard try connection.integer("PRAGMA user_version") == 1 else {
            throw StorageError(
                .newer, at: connection.location,
                reason: "a newer version of the program wrote this intent log",
                advice: "Update the program to have its changes.")
        }
        let handed = try connection.integer("SELECT number FROM handed") ?? 0
        let rows = try connection.statement("SELECT number, changes FROM intents ORDER BY number")
        var first = Batch()
        var second = Batch()
        while try rows.step() {
            let text = "{\(rows.text(1))}"
            let changes = try ChangesText.changes(try ChangesText.object(Data(text.utf8)))
            if rows.integer(0) <= handed {
                first.add(changes)
            } else {
                second.add(changes)
            }
        }
        return [first.changes, second.changes].filter { !$0.isEmpty }
    }
}

/// Records put over each other: one operation for an id, the last, with the first base.
private struct Batch {
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

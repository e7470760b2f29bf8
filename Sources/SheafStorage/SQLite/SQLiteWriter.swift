import FoundationEssentials
import SheafList

import struct Swidux.StorageMerge

/// The writing of a commit to the tables of a list, in one transaction.
struct SQLiteWriter {
    let connection: SQLiteConnection
    let schema: SchemaWatch
    let tables: EntityTables
    let ledger: CommitLedger

    /// Writes `changes` as one commit.
    ///
    /// - Parameters:
    ///   - author: the process that signs the commit, or nil for an unsigned one.
    ///   - merge: the function that merges two edits of one item.
    /// - Returns: the result, and the commit's number.
    /// - Throws: `StorageError`. Nothing is written then.
    func write(
        _ changes: StorageChanges, signedBy author: UUID? = nil,
        merging merge: StorageMerge<Item> = .items
    ) throws -> (result: CommitResult, number: Int64) {
        do {
            return try write(changes, author, merge, settingAside: false)
        } catch let error as StorageError where error.code == .constraint {
            // Only a savepoint around each row can tell which row was refused. Normal commits avoid
            // that cost.
            return try write(changes, author, merge, settingAside: true)
        }
    }

    private func write(
        _ changes: StorageChanges, _ author: UUID?, _ merge: StorageMerge<Item>,
        settingAside: Bool
    ) throws -> (result: CommitResult, number: Int64) {
        var (entry, result) = try connection.transaction("BEGIN IMMEDIATE") {
            try schema.checkIfChanged()
            let entry = try ledger.begin()
            var reconciled = try changes.reconciled(
                with: StoredTables(tables), isCurrent: entry.isCurrent, merging: merge)
            let rows = reconciled.rows
            func row(_ id: UUID, _ body: () throws -> Void) throws {
                guard settingAside else { return try body() }
                if let reason = try refusal(of: body) { reconciled.refuse(id, because: reason) }
            }
            func save(_ kind: (some SmallEntity).Type) throws {
                for (id, change) in rows[kind].elements {
                    guard let entity = change.after else { continue }
                    try row(id) { try tables[kind].save(entity, in: entry.number) }
                }
            }
            func delete<Entity: SmallEntity>(_ kind: Entity.Type) throws {
                for id in rows[kind].deletions {
                    try row(id) {
                        try tables[kind].delete(id)
                        try ledger.recordTombstone(id, Entity.number, in: entry)
                    }
                }
            }
            func detach(_ kind: (some SmallEntity).Type, from tag: Tag.ID) throws {
                reconciled.reportRemoval(
                    of: tag, from: try tables[kind].detach(tag, in: entry.number))
            }
            for id in reconciled.releasing { try tables.releaseName(of: id) }
            for kind in Kinds.small { try save(kind) }
            for (id, change) in rows.items.elements {
                guard let item = change.after else { continue }
                try row(id) {
                    // A tag of the item is missing if this commit refused the tag.
                    let missing = try tables.items.save(item, in: entry.number)
                    if !missing.isEmpty { reconciled.reportMissing(missing, of: id) }
                }
            }
            for id in rows.items.deletions {
                try row(id) {
                    try tables.items.delete(id)
                    try ledger.recordTombstone(id, Item.number, in: entry)
                }
            }
            for kind in Kinds.small.reversed() where kind != Tag.self { try delete(kind) }
            for id in rows.tags.deletions {
                try row(id) {
                    let carriers = try tables.items.touch(carrying: id, in: entry.number)
                    for kind in Kinds.small { try detach(kind, from: id) }
                    try tables[Tag.self].delete(id)
                    try ledger.recordTombstone(id, Tag.number, in: entry)
                    reconciled.reportRemoval(of: id, from: carriers)
                }
            }
            if let author { try ledger.recordTombstone(author, Tombstone.process, in: entry) }
            if rows.hasDeletions { try ledger.trim() }
            return (entry, try reconciled.result(read: stored))
        }
        ledger.end(entry)
        result.isBehind = !entry.isCurrent
        return (result, entry.number)
    }

    /// Returns the current rows of `ids`, in a transaction that is already open.
    private func stored(_ ids: Set<UUID>) throws -> StorageChanges {
        var stored = StorageChanges()
        let known = TagSets(try tables[Tag.self].ids())
        func read(_ kind: (some SmallEntity).Type) throws {
            let all = try tables[kind].load(tags: known)
            stored[kind].upsert(all.filter { ids.contains($0.id) })
        }
        for kind in Kinds.small { try read(kind) }
        stored.items.upsert(try ids.compactMap { try tables.items.load(id: $0, tags: known) })
        return stored
    }

    /// Returns the reason why the store refused the row that `body` writes, or nil if it was
    /// written.
    private func refusal(of body: () throws -> Void) throws -> String? {
        try connection.execute("SAVEPOINT one_row")
        do {
            try body()
            try connection.execute("RELEASE one_row")
            return nil
        } catch let error as StorageError
            where error.code == .constraint && connection.isInTransaction
        {
            try connection.execute("ROLLBACK TO one_row")
            try connection.execute("RELEASE one_row")
            return error.reason
        }
    }
}

/// The rows of the tables, read in a transaction that is already open.
private final class StoredTables: StoredRows {
    typealias Failure = any Error

    private let tables: EntityTables
    /// The existing tags. This commit reads them itself, because it may change those that the
    /// session keeps.
    private var known: TagSets?

    init(_ tables: EntityTables) { self.tables = tables }

    func stored<Entity: SmallEntity>(_ kind: Entity.Type) throws -> [Entity] {
        try tables[kind].load(tags: try knownTags())
    }
    func foldedTagNames() throws -> [Tag.ID: String] { try tables.foldedTagNames() }
    func storedItem(_ id: Item.ID) throws -> Item? {
        try tables.items.load(id: id, tags: knownTags())
    }

    private func knownTags() throws -> TagSets {
        if let known { return known }
        let sets = TagSets(try tables[Tag.self].ids())
        known = sets
        return sets
    }
}

import FoundationEssentials
import SheafList

import struct Swidux.StorageMerge

/// What a commit does to the tables of a list, in one transaction.
struct SQLiteWriter {
    let connection: SQLiteConnection
    let schema: SchemaWatch
    let items: ItemTable
    let tags: TagTable
    let views: ViewTable
    let ledger: CommitLedger

    /// Writes `changes` as one commit.
    ///
    /// - Parameters:
    ///   - author: the process that signs the commit, if it does.
    ///   - merge: how two edits of one item are merged.
    /// - Returns: the result, and the commit's number.
    /// - Throws: `StorageError`; then nothing is written.
    func write(
        _ changes: StorageChanges, signedBy author: UUID? = nil,
        merging merge: StorageMerge<Item> = .items
    ) throws -> (result: CommitResult, number: Int64) {
        do {
            return try write(changes, author, merge, settingAside: false)
        } catch let error as StorageError where error.code == .constraint {
            // Only a savepoint around each row could tell which one it was, at a cost to every
            // commit.
            return try write(changes, author, merge, settingAside: true)
        }
    }

    private func write(
        _ changes: StorageChanges, _ author: UUID?, _ merge: StorageMerge<Item>,
        settingAside: Bool
    ) throws -> (result: CommitResult, number: Int64) {
        var (entry, result) = try connection.transaction("BEGIN IMMEDIATE") {
            try schema.look()
            let entry = try ledger.begin()
            var reconciled = try changes.reconciled(
                with: StoredTables(tags: tags, views: views, items: items),
                isCurrent: entry.isCurrent, merging: merge)
            let rows = reconciled.rows
            func row(_ id: UUID, _ body: () throws -> Void) throws {
                guard settingAside else { return try body() }
                if let reason = try refusal(of: body) { reconciled.refuse(id, because: reason) }
            }
            for id in reconciled.releasing { try tags.releaseName(id) }
            for (id, change) in rows.tags {
                guard let tag = change.after else { continue }
                try row(id) { try tags.save(tag, in: entry.number) }
            }
            for (id, change) in rows.views {
                guard let view = change.after else { continue }
                try row(id) { try views.save(view, in: entry.number) }
            }
            for (id, change) in rows.items {
                guard let item = change.after else { continue }
                try row(id) {
                    // A tag that was refused just now.
                    let missing = try items.save(item, in: entry.number)
                    if !missing.isEmpty { reconciled.lost(missing, of: id) }
                }
            }
            for id in rows.items.deletions {
                try row(id) {
                    try items.delete(id)
                    try ledger.bury(id, .item, in: entry)
                }
            }
            for id in rows.views.deletions {
                try row(id) {
                    try views.delete(id)
                    try ledger.bury(id, .view, in: entry)
                }
            }
            for id in rows.tags.deletions {
                try row(id) {
                    let carriers = try items.touch(carrying: id, in: entry.number)
                    reconciled.detached(try views.detach(id, in: entry.number))
                    try tags.delete(id)
                    try ledger.bury(id, .tag, in: entry)
                    reconciled.took(id, off: carriers)
                }
            }
            if let author { try ledger.bury(author, .process, in: entry) }
            if rows.hasDeletions { try ledger.trim() }
            return (entry, try reconciled.result(read: stored))
        }
        ledger.end(entry)
        result.isBehind = !entry.isCurrent
        return (result, entry.number)
    }

    /// The rows of `ids` as they are now, in a transaction that is open.
    private func stored(_ ids: Set<UUID>) throws -> StorageChanges {
        var stored = StorageChanges()
        stored.tags.upsert(try tags.load().filter { ids.contains($0.id) })
        let known = TagSets(try tags.ids())
        stored.views.upsert(try views.load(tags: known).filter { ids.contains($0.id) })
        stored.items.upsert(try ids.compactMap { try items.load(id: $0, tags: known) })
        return stored
    }

    /// Why the store refused the row that `body` writes, or nil if it is written.
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

/// The rows of the tables, read in a transaction that is open.
private final class StoredTables: StoredRows {
    typealias Failure = any Error

    private let tags: TagTable
    private let views: ViewTable
    private let items: ItemTable
    /// Not those that the session keeps: this commit may change them.
    private var known: TagSets?

    init(tags: TagTable, views: ViewTable, items: ItemTable) {
        self.tags = tags
        self.views = views
        self.items = items
    }

    func storedTags() throws -> [Tag] { try tags.load() }
    func foldedTagNames() throws -> [Tag.ID: String] { try tags.foldedNames() }
    func storedViews() throws -> [SavedView] { try views.load(tags: knownTags()) }
    func storedItem(_ id: Item.ID) throws -> Item? { try items.load(id: id, tags: knownTags()) }

    private func knownTags() throws -> TagSets {
        if let known { return known }
        let sets = TagSets(try tags.ids())
        known = sets
        return sets
    }
}

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
            var refused: [Refusal] = []
            func row(_ id: some Hashable & Sendable, _ body: () throws -> Void) throws {
                guard settingAside else { return try body() }
                if let reason = try refusal(of: body) {
                    refused.append(.init(id: id, reason: reason))
                }
            }
            var report = MergeReport()
            let isMerged = !entry.isCurrent || changes.haveNext
            var changes = changes
            if isMerged { try mergeTagsAndItems(of: &changes, merge, &report) }
            let number = entry.number
            let admission = try admission(of: changes.tags, &report)
            for tag in admission.admitted {
                try row(tag.id) { try tags.save(tag, in: number) }
            }
            let known = TagSets(changes.views.isEmpty ? [] : try tags.ids())
            changes.views = try admitted(changes.views, admission, known, isMerged, &report)
            for view in changes.views.upserts {
                let admitted = view.replacingTag(admission.substitutes)
                    .withoutTag { !known.contains($0) }
                if admitted != view { report.ids.insert(view.id) }
                try row(view.id) { try views.save(admitted, in: number) }
            }
            for item in changes.items.upserts {
                let admitted = admission.admitting(item)
                try row(item.id) {
                    let missing = try items.save(admitted, in: number)
                    if !missing.isEmpty || admitted.tags != item.tags {
                        report.ids.insert(item.id)
                    }
                    report.lost(missing.filter { !refused.contains(tag: $0) }, of: item.id)
                }
            }
            for id in changes.items.deletions {
                try row(id) {
                    try items.delete(id)
                    try ledger.bury(id, .item, in: entry)
                }
            }
            for id in changes.views.deletions {
                try row(id) {
                    try views.delete(id)
                    try ledger.bury(id, .view, in: entry)
                }
            }
            for id in changes.tags.deletions {
                try row(id) {
                    let carriers = try items.touch(carrying: id, in: number)
                    report.ids.formUnion(try views.detach(id, in: number))
                    try tags.delete(id)
                    try ledger.bury(id, .tag, in: entry)
                    report.took(id, off: carriers)
                }
            }
            if let author { try ledger.bury(author, .process, in: entry) }
            if changes.hasDeletions { try ledger.trim() }
            return (entry, try report.result(admission, refused: refused, read: stored))
        }
        ledger.end(entry)
        result.isBehind = !entry.isCurrent
        return (result, entry.number)
    }

    /// The rows of `ids` as they are now, in a transaction that is open.
    private func stored(_ ids: Set<UUID>) throws -> StorageChanges {
        var stored = StorageChanges()
        stored.tags.upserts = try tags.load().filter { ids.contains($0.id) }
        let known = TagSets(try tags.ids())
        stored.views.upserts = try views.load(tags: known).filter { ids.contains($0.id) }
        stored.items.upserts = try ids.compactMap { try items.load(id: $0, tags: known) }
        return stored
    }

    /// Merges `changes` of tags and items with rows that other processes have written since.
    private func mergeTagsAndItems(
        of changes: inout StorageChanges, _ merge: StorageMerge<Item>, _ report: inout MergeReport
    ) throws {
        // Not those that are kept: this commit may change them.
        let known = TagSets(try tags.ids())
        if !changes.tags.isEmpty {
            let stored = Dictionary(uniqueKeysWithValues: try tags.load().map { ($0.id, $0) })
            changes.mergeTags(&report) { stored[$0] }
        }
        changes.items = try changes.items.merged(by: merge, &report) {
            try items.load(id: $0, tags: known)
        }
    }

    /// Which tags can be written; the names that change hands are free on return.
    private func admission(
        of changes: EntityChanges<Tag>, _ report: inout MergeReport
    ) throws -> TagAdmission {
        let names = changes.upserts.isEmpty ? [:] : try tags.foldedNames()
        let admission = try TagAdmission(changes, foldedNames: names, &report) { id in
            try tags.load().first { $0.id == id }
        }
        for id in admission.releasing { try tags.releaseName(id) }
        return admission
    }

    /// Returns the view changes to write, with tags that are not among `known` removed.
    private func admitted(
        _ changes: EntityChanges<SavedView>, _ admission: TagAdmission, _ known: TagSets,
        _ isMerged: Bool, _ report: inout MergeReport
    ) throws -> EntityChanges<SavedView> {
        guard !changes.isEmpty else { return changes }
        let stored = try views.load(tags: known)
        var changes = changes
        if !admission.refused.isEmpty {
            changes = admission.admitting(changes, try tags.load(), &report)
        }
        if isMerged {
            let stored = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) })
            changes = changes.merged(by: .views, &report) { stored[$0] }
        }
        return changes.withFreeNames(among: stored, &report)
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

extension [Refusal] {
    /// Whether the tag `id` is one of the rows.
    fileprivate func contains(tag id: Tag.ID) -> Bool { contains { $0.id == AnyID(id) } }
}

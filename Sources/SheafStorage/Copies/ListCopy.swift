import SheafList
import SwiduxFiles
import Synchronization

/// The copy of a list into an empty one, on any two backends. Ids, order, times, tags, views and
/// extras stay the same. Some stores refuse long ranks, so from the first long rank on, every
/// entity gets the next short rank instead.
///
/// The copy proceeds page by page in list order. By default, it commits each page, so memory does
/// not grow with the list. While one page is committed, the next is read. If a copy is interrupted,
/// the target has the beginning of the source, and the next copy continues from there. At the end,
/// the copy fetches changes that other processes committed to the source meanwhile.
package struct ListCopy: Sendable {
    /// The result of a copy.
    package struct Outcome: Sendable, Equatable {
        /// The numbers of items, tags and views in the target now.
        package var (items, tags, views) = (0, 0, 0)
        /// The number of items that the target had from an interrupted copy.
        package var foundItems = 0
        /// True if the target already had all of the source.
        package var wasComplete = true
        /// True if another process has written to the target meanwhile.
        package var hadOtherWriters = false
    }

    /// The error for a target that is not the beginning of a copy: it has an entity that the source
    /// lacks, or that differs or is in another place. The target is unchanged.
    package struct TargetTaken: Error {
        /// The number of items in the target.
        package var items: Int
    }

    private let source: any ListStorage
    private let target: any ListStorage
    private let commitSize: Int
    private let pageSize: Int

    /// Creates a copy operation.
    ///
    /// - Parameters:
    ///   - commitSize: the minimum number of items in a commit, except the last one. A target that
    ///     writes the whole list for each commit is best served by a single commit.
    ///   - pageSize: the number of items that are read at once. Each page is a round trip to a
    ///     server.
    package init(
        from source: any ListStorage, to target: any ListStorage, commitSize: Int = 10_000,
        pageSize: Int = 10_000
    ) {
        self.source = source
        self.target = target
        self.commitSize = commitSize
        self.pageSize = pageSize
    }

    /// Makes the target a copy of the source.
    ///
    /// - Parameter progress: called with the number of items that the target has so far.
    /// - Throws: `StorageError`, or ``TargetTaken``. Earlier commits stay.
    package func run(_ progress: (Int) -> Void = { _ in }) async throws -> Outcome {
        var outcome = Outcome()
        // The first page is read before anything else. From then on, the source reports the commits
        // of other processes.
        var ranks = CopiedRanks()
        var page = try await source.loadItems(after: nil, limit: pageSize)
        var changes = try await smallRows()
        var count = 0
        var isNew = false
        var cursor: ItemPosition?
        var copied: ItemPosition?
        while let last = page.last {
            page = ranks.shortened(page)
            if !isNew {
                let found = try await target.loadItems(after: copied, limit: page.count)
                guard page.starts(with: found) else { throw try await taken() }
                count += found.count
                outcome.foundItems = count
                isNew = found.count < page.count
                changes.items.upsert(page.dropFirst(found.count))
            } else {
                changes.items.upsert(page)
            }
            cursor = last.position
            copied = page.last?.position
            guard changes.items.count >= commitSize else {
                page = try await source.loadItems(after: cursor, limit: pageSize)
                continue
            }
            let batch = changes
            changes = StorageChanges()
            async let hadOtherWriters = commit(batch)
            page = try await source.loadItems(after: cursor, limit: pageSize)
            if try await hadOtherWriters { outcome.hadOtherWriters = true }
            outcome.wasComplete = false
            count += batch.items.count
            progress(count)
        }
        if !isNew, try await !target.loadItems(after: copied, limit: 1).isEmpty {
            throw try await taken()
        }
        try await commitRest(changes, &outcome)
        try await catchUp(&outcome, ranks)
        outcome.items = try await target.itemCount()
        outcome.tags = try await target.loadTags().count
        outcome.views = try await target.loadViews().count
        return outcome
    }

    /// Returns the changes that copy all entities except items, and that delete the entities with
    /// which a new list begins.
    private func smallRows() async throws -> StorageChanges {
        var wanted = try await source.loadSmall()
        // Older versions could give two views the same name. The target makes names unique, so the
        // names are compared in that form.
        wanted.views = wanted.views.withFreeNames()
        let found = try await target.loadSmall()
        let begun = OpenMode.readWriteBegin.rows
        var changes = StorageChanges()
        var isTaken = false
        func compare(_ kind: (some SmallEntity).Type) {
            var ranks = CopiedRanks()
            let rows = EntityChanges(upserts: ranks.shortened(wanted[kind].upserts))
            for row in found[kind].upserts {
                let other = rows[row.id]?.after
                guard other != row else { continue }
                if begun[kind][row.id]?.after != row { isTaken = true }
                if let other {
                    changes[kind].replace(row, with: other)
                } else {
                    changes[kind].delete(row)
                }
            }
            changes[kind].upsert(rows.upserts.filter { found[kind][$0.id] == nil })
        }
        for kind in Kinds.small { compare(kind) }
        if isTaken { throw try await taken() }
        return changes
    }

    private func taken() async throws -> TargetTaken {
        TargetTaken(items: try await target.itemCount())
    }

    /// Commits `changes` to the target.
    ///
    /// - Returns: true if another process has written to the target since the last commit.
    private func commit(_ changes: StorageChanges) async throws -> Bool {
        // Not on the thread of the command, which reads the source meanwhile.
        let result = try await BlockingCalls.$runsInline.withValue(false) {
            try await target.commit(changes)
        }
        if let lost = result.lost(of: changes).first {
            throw StorageError(
                .constraint, at: target.displayName, reason: "refused \(lost.reason)")
        }
        return result.isBehind
    }

    private func commitRest(_ changes: StorageChanges, _ outcome: inout Outcome) async throws {
        guard !changes.isEmpty else { return }
        if try await commit(changes) { outcome.hadOtherWriters = true }
        outcome.wasComplete = false
    }

    /// Copies the changes that other processes committed to the source after its first page was
    /// read.
    private func catchUp(_ outcome: inout Outcome, _ ranks: CopiedRanks) async throws {
        var ranks = ranks
        var isComplete = false
        while !isComplete {
            let failure = Mutex<(any Error)?>(nil)
            let fetched = try await source.externalChanges { [target] in
                do {
                    return try await target.allRows()
                } catch {
                    failure.withLock { $0 = error }
                    return StorageChanges()
                }
            }
            if let error = failure.withLock(\.self) { throw error }
            var changes = fetched.changes
            if ranks.assignsNewRanks {
                let items = changes.items.upserts
                let found = try await target.loadItems(ids: items.map(\.id))
                changes.items.upsert(ranks.withTargetRanks(items, found))
            }
            isComplete = fetched.isComplete && changes.isEmpty
            try await commitRest(changes, &outcome)
        }
    }
}

extension ListStorage {
    /// Returns all rows of the list. O(n).
    fileprivate func allRows() async throws -> StorageChanges {
        var rows = try await loadSmall()
        try await readPages { page in
            rows.items.upsert(page)
            return true
        }
        return rows
    }
}

/// The ranks of entities that are being copied to another store.
private struct CopiedRanks {
    /// True after the first rank that was too long. All later entities then get the next rank, so
    /// that a second copy of an unchanged list gets equal ranks.
    private(set) var assignsNewRanks = false
    private var last: Rank?

    /// Returns the next entities with ranks that every store accepts.
    mutating func shortened<Entity: Ranked>(_ entities: [Entity]) -> [Entity] {
        entities.map { entity in
            var entity = entity
            assignsNewRanks = assignsNewRanks || entity.rank.isTooLong
            if assignsNewRanks { entity.rank = Rank.between(last, nil) }
            last = entity.rank
            return entity
        }
    }

    /// Returns `items`, which have changed since they were copied, with the ranks that they have in
    /// the target. `found` contains those that the target has. New items come last.
    mutating func withTargetRanks(_ items: [Item], _ found: [Item]) -> [Item] {
        let known = Dictionary(found.map { ($0.id, $0.rank) }) { first, _ in first }
        return items.map { item in
            guard let rank = known[item.id] else { return shortened([item])[0] }
            var item = item
            item.rank = rank
            return item
        }
    }
}

import FoundationEssentials
import Swidux

/// What another run left, while it is committed one batch after the other.
public struct LeftBehind: Sendable {
    /// What storage has left out so far.
    public private(set) var lost: [RefusedRow] = []
    /// What others had changed too, so that one of the two had to yield.
    public private(set) var conflicts: Set<UUID> = []
    private var substitutes: [Tag.ID: Tag.ID] = [:]

    /// Nothing is committed yet.
    public init() {}

    /// What to commit of `batch`: where a tag of an earlier one got a substitute, its items get it
    /// too. O(changes).
    public mutating func next(_ batch: StorageChanges) -> StorageChanges {
        for tag in batch.tags.upserts { substitutes[tag.id] = nil }
        return batch.replacingTags(substitutes)
    }

    /// `batch` was committed with `result`, of which `refusals` tell what it comes to.
    public mutating func committed(
        _ batch: StorageChanges, _ result: CommitResult, _ refusals: Refusals
    ) {
        conflicts.formUnion(result.conflicts.lazy.compactMap { $0 as? UUID })
        substitutes.merge(refusals.substitutes) { $1 }
        // What a later batch stores is what the tag was in the end.
        let ids = Set(batch.tags.upserts.map(\.id))
        lost.removeAll { $0.id.map(ids.contains) ?? false }
        lost += refusals.lost
    }
}

extension ListStorage {
    /// Tells what of `refused` is lost and what has a substitute, after a commit of `changes`.
    /// O(tags + changes), and nothing if nothing was refused.
    ///
    /// - Throws: `StorageError` if the tags cannot be read.
    public func judged(
        _ refused: [CommitResult.Refusal], of changes: StorageChanges
    ) async throws -> Refusals {
        let stored = refused.isEmpty ? [] : try await loadTags()
        return Refusals(refused, of: changes, stored: stored)
    }

    /// Commits what another run left, one batch after the other, and returns what became of it.
    ///
    /// - Parameter committed: is called after each batch that is stored.
    /// - Throws: `StorageError`; then the batches before the failed one are stored.
    public func commit(
        leftBehind batches: [StorageChanges], committed: () -> Void = {}
    ) async throws -> LeftBehind {
        var left = LeftBehind()
        for batch in batches {
            let result = try await commit(leftBehind: left.next(batch))
            committed()
            left.committed(batch, result, try await judged(result.refused, of: batch))
        }
        return left
    }
}

extension StorageChanges {
    /// The same with other tags on the items.
    fileprivate func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> StorageChanges {
        guard !substitutes.isEmpty else { return self }
        var changes = self
        changes.items.upserts = items.upserts.map { $0.replacingTags(substitutes) }
        changes.items.bases = items.bases.mapValues { $0.replacingTags(substitutes) }
        return changes
    }
}

extension Item {
    /// The same with other tags: those that `substitutes` has one for are replaced. O(tags).
    public func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> Item {
        var item = self
        item.tags = Set(tags.map { substitutes[$0] ?? $0 })
        return item
    }
}

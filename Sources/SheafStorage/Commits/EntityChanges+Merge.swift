import FoundationEssentials
import SheafCore

/// What a commit has to tell of, while it is being written.
struct CommitTold {
    /// The rows that are stored otherwise than they were asked for.
    var ids: Set<UUID> = []
    private(set) var conflicts: [StorageConflict] = []

    mutating func conflict(_ id: UUID, _ outcome: StorageConflict.Outcome) {
        conflicts.append(StorageConflict(id: id, outcome: outcome))
    }

    /// The result of the commit, of which `admission` has let tags in, once all is written: the
    /// rows are read then.
    ///
    /// - Parameter read: the rows of `ids` as they are stored.
    func result(
        _ admission: TagAdmission, refused: [CommitResult.Refusal] = [],
        read: (_ ids: Set<UUID>) throws -> StorageChanges
    ) rethrows -> CommitResult {
        let ids = self.ids.union(admission.substitutes.values)
        return CommitResult(
            refused: admission.refusals + refused, stored: ids.isEmpty ? nil : try read(ids),
            conflicts: conflicts,
            substitutes: Dictionary(
                uniqueKeysWithValues: admission.substitutes.map { (AnyID($0), AnyID($1)) }))
    }
}

extension EntityChanges where Entity: Equatable, Entity.ID == UUID {
    /// The changes merged with what is stored, where that differs from what they began with.
    ///
    /// Two edits are merged; an edit beats a deletion, so an entity that was edited since is not
    /// deleted. An insertion may find its entity stored: it may be replayed, or undo a deletion
    /// that lost to an edit.
    ///
    /// - Parameters:
    ///   - told: gets what is stored otherwise than it is here, and where one edit had to yield.
    ///   - stored: the stored value of an entity.
    func merged(
        by merge: StorageMerge<Entity>, _ told: inout CommitTold,
        stored: (Entity.ID) throws -> Entity?
    ) rethrows -> EntityChanges {
        var merged = EntityChanges()
        for mine in upserts {
            let base = bases[mine.id]
            guard let theirs = try stored(mine.id) else {
                if base != nil { told.conflict(mine.id, .kept) }
                merged.upserts.append(mine)
                continue
            }
            guard theirs != base else {
                merged.upserts.append(mine)
                continue
            }
            let outcome = merge(base: base, mine: mine, theirs: theirs)
            let isMine = outcome.value == mine
            if outcome.isConflict { told.conflict(mine.id, isMine ? .kept : .merged) }
            if !isMine { told.ids.insert(mine.id) }
            merged.upserts.append(outcome.value)
        }
        for id in deletions {
            if let base = bases[id], let theirs = try stored(id), theirs != base {
                told.conflict(id, .notDeleted)
                told.ids.insert(id)
            } else {
                merged.deletions.append(id)
            }
        }
        return merged
    }
}

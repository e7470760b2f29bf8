import SheafCore
import Swidux

extension EntityChanges where Entity: Equatable {
    /// The changes merged with what is stored, where that differs from what they began with.
    ///
    /// Two edits are merged; an edit beats a deletion, so an entity that was edited since is not
    /// deleted. An insertion may find its entity stored: it may be replayed, or undo a deletion
    /// that lost to an edit.
    ///
    /// - Parameters:
    ///   - conflicts: receives the ids of the entities with a conflict.
    ///   - stored: the stored value of an entity.
    func merged(
        by merge: StorageMerge<Entity>, _ conflicts: inout [Entity.ID],
        stored: (Entity.ID) throws -> Entity?
    ) rethrows -> EntityChanges {
        var merged = EntityChanges()
        for mine in upserts {
            let base = bases[mine.id]
            guard let theirs = try stored(mine.id) else {
                if base != nil { conflicts.append(mine.id) }
                merged.upserts.append(mine)
                continue
            }
            guard theirs != base else {
                merged.upserts.append(mine)
                continue
            }
            let outcome = merge(base: base, mine: mine, theirs: theirs)
            if outcome.isConflict { conflicts.append(mine.id) }
            merged.upserts.append(outcome.value)
        }
        for id in deletions {
            if let base = bases[id], let theirs = try stored(id), theirs != base {
                conflicts.append(id)
            } else {
                merged.deletions.append(id)
            }
        }
        return merged
    }
}

import SheafCore
import Swidux

extension EntityChanges where Entity: Equatable {
    /// The changes brought together with what is stored, where that is not what they began with.
    ///
    /// An edit is merged into an edit, and beats a deletion; a deletion of what was edited since is not done. A change
    /// without a base is done as it is.
    ///
    /// - Parameters:
    ///   - conflicts: gets the ids of those where one had to yield.
    ///   - stored: what storage has of an entity now.
    func merged(
        by merge: StorageMerge<Entity>, _ conflicts: inout [Entity.ID],
        stored: (Entity.ID) throws -> Entity?
    ) rethrows -> EntityChanges {
        var merged = EntityChanges()
        for mine in upserts {
            guard let base = bases[mine.id] else {
                merged.upserts.append(mine)
                continue
            }
            guard let theirs = try stored(mine.id) else {
                conflicts.append(mine.id)
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

import SheafCore
import Swidux

/// How a commit is merged with what is stored.
enum CommitMerge {
    /// Not merged: no other process has written since its changes began.
    case none
    /// If both have changed a field, the committed value wins.
    case live
    /// The later edit wins: what another run left may be older than what is stored, or already be
    /// stored.
    case leftBehind

    /// How items are merged, if at all.
    var items: StorageMerge<Item>? {
        switch self {
        case .none: nil
        case .live: .items
        case .leftBehind: .laterItems
        }
    }

    /// How tags are merged, if at all: they have no time of change.
    var tags: StorageMerge<Tag>? { self == .none ? nil : .tags }
}

extension EntityChanges where Entity: Equatable {
    /// The changes merged with what is stored, where that differs from what they began with.
    ///
    /// Two edits are merged; an edit beats a deletion, so an entity that was edited since is not
    /// deleted. An insertion may find its entity stored: it may be replayed, or undo a deletion
    /// that lost to an edit.
    ///
    /// - Parameters:
    ///   - merge: nil to merge nothing.
    ///   - conflicts: receives the ids of the entities with a conflict.
    ///   - stored: the stored value of an entity.
    func merged(
        by merge: StorageMerge<Entity>?, _ conflicts: inout [Entity.ID],
        stored: (Entity.ID) throws -> Entity?
    ) rethrows -> EntityChanges {
        guard let merge else { return self }
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

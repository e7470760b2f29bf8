import SheafCore
import Swidux

/// How a commit is brought together with what is stored.
enum CommitMerge {
    /// Not at all: no other process has written since its changes began.
    case none
    /// Where both have changed something, what is committed wins.
    case live
    /// The later edit wins: what another run left may be older than what is stored, and may be in
    /// there already.
    case leftBehind

    /// How items are merged, if they are.
    var items: StorageMerge<Item>? {
        switch self {
        case .none: nil
        case .live: .items
        case .leftBehind: .laterItems
        }
    }

    /// How tags are merged, if they are: they do not say when they were changed.
    var tags: StorageMerge<Tag>? { self == .none ? nil : .tags }
}

extension EntityChanges where Entity: Equatable {
    /// The changes brought together with what is stored, where that is not what they began with.
    ///
    /// An edit is merged into an edit, and beats a deletion; a deletion of what was edited since is
    /// not done. What was not stored where a change began may be there now all the same: an
    /// insertion that is replayed, or the undo of a deletion that had to yield.
    ///
    /// - Parameters:
    ///   - merge: nil if nothing has to be merged.
    ///   - conflicts: gets the ids of those where one had to yield.
    ///   - stored: what storage has of an entity now.
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

import FoundationEssentials
import Swidux

/// How rows differ from what changes ask for, once these are merged with a list.
public struct MergeReport: Sendable {
    /// The rows that are otherwise than they were asked for.
    public var ids: Set<UUID> = []
    /// Where one of two edits had to yield.
    public private(set) var conflicts: [StorageConflict] = []

    public init() {}

    /// `item` is stored without `tags`, which another process has deleted.
    public mutating func lost(_ tags: Set<Tag.ID>, of item: Item.ID) {
        for tag in tags { conflict(item, .lostReference(to: AnyID(tag))) }
    }

    /// The deletion of `tag` takes it off `items` too: another process has put it on them, or they
    /// would have been changed with the tag.
    public mutating func took(_ tag: Tag.ID, off items: some Sequence<Item.ID>) {
        for item in items {
            ids.insert(item)
            conflict(item, .tookReference(to: AnyID(tag)))
        }
    }

    /// The entity `id` is stored without the name that it was to have, which `owner` has.
    public mutating func lostName(of id: UUID, to owner: UUID) {
        ids.formUnion([id, owner])
        conflict(id, .lostName(to: AnyID(owner)))
    }

    fileprivate mutating func conflict(_ id: UUID, _ outcome: StorageConflict.Outcome) {
        conflicts.append(StorageConflict(id: id, outcome: outcome))
    }
}

extension StorageChanges {
    /// Merges the changes of tags with the stored tags. If a tag is not deleted, because another
    /// process has edited it, it also stays on its items and views. O(changes).
    public mutating func mergeTags(
        _ report: inout MergeReport, stored: (Tag.ID) throws -> Tag?
    ) rethrows {
        let deletions = tags.deletions
        tags = try tags.merged(by: .tags, &report, stored: stored)
        keepTags(Set(deletions).subtracting(tags.deletions), &report)
    }

    mutating func keepTags(_ kept: Set<Tag.ID>, _ report: inout MergeReport) {
        guard !kept.isEmpty else { return }
        for (place, item) in items.upserts.enumerated() {
            guard let taken = items.bases[item.id]?.tags.intersection(kept),
                !taken.isSubset(of: item.tags)
            else { continue }
            items.upserts[place].tags.formUnion(taken)
            report.ids.insert(item.id)
        }
        for (place, view) in views.upserts.enumerated() where view.tag == nil {
            guard let tag = views.bases[view.id]?.tag, kept.contains(tag) else { continue }
            views.upserts[place].tag = tag
            report.ids.insert(view.id)
        }
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
    ///   - report: gets what becomes otherwise than it is here, and where one edit had to yield.
    ///   - stored: the stored value of an entity.
    public func merged(
        by merge: StorageMerge<Entity>, _ report: inout MergeReport,
        stored: (Entity.ID) throws -> Entity?
    ) rethrows -> EntityChanges {
        var merged = EntityChanges()
        for mine in upserts {
            let base = bases[mine.id]
            guard let theirs = try stored(mine.id) else {
                if base != nil { report.conflict(mine.id, .kept) }
                merged.upserts.append(mine)
                continue
            }
            guard theirs != base else {
                merged.upserts.append(mine)
                continue
            }
            let outcome = merge(base: base, mine: mine, theirs: theirs)
            let isMine = outcome.value == mine
            if outcome.isConflict { report.conflict(mine.id, isMine ? .kept : .merged) }
            if !isMine { report.ids.insert(mine.id) }
            merged.upserts.append(outcome.value)
        }
        for id in deletions {
            if let base = bases[id], let theirs = try stored(id), theirs != base {
                report.conflict(id, .notDeleted)
                report.ids.insert(id)
            } else {
                merged.deletions.append(id)
            }
        }
        return merged
    }
}

import FoundationEssentials
import Swidux

/// The rows that a commit writes, and how they differ from its changes.
public struct Reconciled: Sendable {
    /// The rows to write, and the ids to delete. The tags that are deleted go from every row that
    /// carries them.
    public internal(set) var rows: StorageChanges
    /// The tags whose names are freed first, because another one of ``rows`` takes the name.
    public internal(set) var releasing: [Tag.ID] = []
    /// For each new tag that is refused, the tag that has its name.
    public internal(set) var substitutes: [Tag.ID: Tag.ID] = [:]
    /// The changes that are left out.
    public internal(set) var refused: [Refusal] = []
    /// Where one of two edits had to yield.
    public private(set) var conflicts: [StorageConflict] = []
    /// The entities whose stored rows differ from the requested ones.
    var differing: Set<UUID> = []

    /// The rows of `changes` as they are.
    public init(_ changes: StorageChanges = StorageChanges()) { rows = changes }

    // MARK: Reports of a backend

    /// The deletion of `tag` takes it off `items` too: another process has put it on them, or they
    /// would have been changed with the tag.
    public mutating func took(_ tag: Tag.ID, off items: some Sequence<Item.ID>) {
        for item in items {
            differing.insert(item)
            conflict(item, .tookReference(to: AnyID(tag)))
        }
    }

    /// The deletion of a tag takes it off the entities `ids`, which are no items.
    public mutating func detached(_ ids: some Sequence<UUID>) {
        differing.formUnion(ids)
    }

    /// A rule of the tables refuses the row or the deletion of `id`.
    public mutating func refuse(_ id: UUID, because reason: String) {
        refused.append(Refusal(id: id, reason: reason))
    }

    /// `item` is stored without `tags`, which are not there. That is a conflict if another process
    /// has deleted them, and none if they are refused in the same commit.
    public mutating func lost(_ tags: Set<Tag.ID>, of item: Item.ID) {
        differing.insert(item)
        for tag in tags where !refused.contains(where: { $0.id == AnyID(tag) }) {
            conflict(item, .lostReference(to: AnyID(tag)))
        }
    }

    /// The result of the commit, once all is written: the rows are read then.
    ///
    /// - Parameter read: the rows of `ids` as they are stored.
    public func result(
        read: (_ ids: Set<UUID>) throws -> StorageChanges
    ) rethrows -> CommitResult {
        let ids = differing.union(substitutes.values)
        return CommitResult(
            refused: refused, stored: ids.isEmpty ? nil : try read(ids), conflicts: conflicts,
            substitutes: Dictionary(
                uniqueKeysWithValues: substitutes.map { (AnyID($0), AnyID($1)) }))
    }

    // MARK: Steps of reconciling

    /// The entity `id` is stored without the name that it was to have, which `owner` has.
    mutating func lostName(of id: UUID, to owner: UUID) {
        differing.formUnion([id, owner])
        conflict(id, .lostName(to: AnyID(owner)))
    }

    fileprivate mutating func conflict(_ id: UUID, _ outcome: StorageConflict.Outcome) {
        conflicts.append(StorageConflict(id: id, outcome: outcome))
    }

    /// Puts `kept` back on the items and views from which their deletion would have taken them.
    /// O(changes).
    mutating func keepTags(_ kept: Set<Tag.ID>) {
        guard !kept.isEmpty else { return }
        for (id, change) in rows.items {
            guard let item = change.after, let taken = change.before?.tags.intersection(kept),
                !taken.isSubset(of: item.tags)
            else { continue }
            rows.items[id]?.after?.tags.formUnion(taken)
            differing.insert(id)
        }
        func keep(_ kind: (some SmallEntity).Type) {
            for (id, change) in rows[kind] {
                guard let before = change.before, let after = change.after else { continue }
                let restored = after.restoringTag(of: before, among: kept)
                guard restored != after else { continue }
                rows[kind][id]?.after = restored
                differing.insert(id)
            }
        }
        for kind in Kinds.small { keep(kind) }
    }

    /// Keeps items done whose next occurrence is not deleted, although `changes` delete it, because
    /// another process has edited it: reopened, they would recur twice. O(changes).
    mutating func keepDone(in changes: EntityChanges<Item>) {
        for (id, change) in rows.items {
            // An item that was deleted elsewhere does not come back for this alone.
            guard let before = change.before ?? changes[id]?.before, before.isDone,
                var item = change.after, !item.isDone,
                changes[item.nextID] != nil, rows.items[item.nextID] == nil
            else { continue }
            item.doneAt = before.doneAt
            item.updatedAt = max(item.updatedAt, before.updatedAt)
            rows.items[id] =
                item == before ? nil : EntityChange(before: change.before, after: item)
            differing.insert(id)
        }
    }

    /// Keeps items deleted if another process has deleted them and `changes` only remove tags from
    /// them that they also delete. O(changes).
    mutating func keepDeleted(in changes: EntityChanges<Item>) {
        let tags = Set(rows.tags.deletions)
        guard !tags.isEmpty else { return }
        let restored = conflicts.filter { $0.outcome == .restored }
            .compactMap { $0.id.value(as: Item.ID.self) }
        let kept = restored.filter { id in
            guard let before = changes[id]?.before, var item = changes[id]?.after else {
                return false
            }
            item.tags.formUnion(before.tags.intersection(tags))
            item.updatedAt = before.updatedAt
            return item == before
        }
        guard !kept.isEmpty else { return }
        for id in kept { rows.items[id] = nil }
        differing.formUnion(kept)
        let ids = Set(kept.map { AnyID($0) })
        conflicts.removeAll { $0.outcome == .restored && ids.contains($0.id) }
    }
}

extension EntityChanges where Entity: Equatable, Entity.ID == UUID {
    /// The changes merged with the stored rows that differ from their bases.
    ///
    /// Two edits are merged; an edit beats a deletion, so an entity that was edited since is not
    /// deleted. An insertion may find its entity stored: it may be replayed, or undo a deletion
    /// that lost to an edit.
    ///
    /// - Parameters:
    ///   - result: gets the entities that differ from these changes, and the conflicts.
    ///   - stored: the stored value of an entity.
    public func merged<Failure: Error>(
        by merge: StorageMerge<Entity>, _ result: inout Reconciled,
        stored: (Entity.ID) throws(Failure) -> Entity?
    ) throws(Failure) -> EntityChanges {
        var merged = EntityChanges()
        for (id, change) in self {
            guard let mine = change.after else {
                if let base = change.before, let theirs = try stored(id), theirs != base {
                    result.conflict(id, .notDeleted)
                    result.differing.insert(id)
                } else {
                    merged[id] = change
                }
                continue
            }
            guard let theirs = try stored(id) else {
                if change.before != nil { result.conflict(id, .restored) }
                merged[id] = EntityChange(before: nil, after: mine)
                continue
            }
            guard theirs != change.before else {
                merged[id] = change
                continue
            }
            let outcome = merge(base: change.before, mine: mine, theirs: theirs)
            let isMine = outcome.value == mine
            if outcome.isConflict { result.conflict(id, isMine ? .kept : .merged) }
            if !isMine { result.differing.insert(id) }
            merged[id] = EntityChange(before: theirs, after: outcome.value)
        }
        return merged
    }
}

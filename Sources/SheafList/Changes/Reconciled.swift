import FoundationEssentials
import Swidux

/// The rows that a commit writes, and their differences from the requested changes.
package struct Reconciled: Sendable {
    /// The rows to write, and the ids to delete. The backend also removes deleted tags from every
    /// other row that has them.
    package internal(set) var rows: StorageChanges
    /// The tags whose names are released first, because another tag in ``rows`` takes the name.
    package internal(set) var releasing: [Tag.ID] = []
    /// The tag that replaces each refused new tag, because it has the same name.
    package internal(set) var substitutes: [Tag.ID: Tag.ID] = [:]
    /// The changes that are not written.
    package internal(set) var refused: [Refusal] = []
    /// The conflicts, in which one of two edits yielded.
    package private(set) var conflicts: [StorageConflict] = []
    /// The entities whose stored rows differ from the requested ones.
    var differing: Set<UUID> = []

    /// Creates a value with the rows of `changes` as they are.
    package init(_ changes: StorageChanges = StorageChanges()) { rows = changes }

    // MARK: Reports of a backend

    /// Reports that the deletion of `tag` also removes it from the entities `ids`. The backend
    /// reports only entities to which another process has added the tag, because the changes of
    /// this process already include the others.
    package mutating func reportRemoval(of tag: Tag.ID, from ids: some Sequence<UUID>) {
        for id in ids {
            differing.insert(id)
            conflict(id, .tookReference(to: AnyID(tag)))
        }
    }

    /// Reports that a constraint of the tables refuses the row or the deletion of `id`.
    package mutating func refuse(_ id: UUID, because reason: String) {
        refused.append(Refusal(id: id, reason: reason))
    }

    /// Reports that the entity `id` is stored without `tags`, which do not exist. This is a
    /// conflict if another process has deleted them, but not if they are refused in the same
    /// commit.
    package mutating func reportMissing(_ tags: Set<Tag.ID>, of id: UUID) {
        differing.insert(id)
        for tag in tags where !refused.contains(where: { $0.id == AnyID(tag) }) {
            conflict(id, .lostReference(to: AnyID(tag)))
        }
    }

    /// Returns the result of the commit. Call it after all rows are written, because it reads them.
    ///
    /// - Parameter read: returns the stored rows of `ids`.
    package func result(
        read: (_ ids: Set<UUID>) throws -> StorageChanges
    ) rethrows -> CommitResult {
        let ids = differing.union(substitutes.values)
        return CommitResult(
            refused: refused, stored: ids.isEmpty ? nil : try read(ids), conflicts: conflicts,
            substitutes: Dictionary(
                uniqueKeysWithValues: substitutes.map { (AnyID($0), AnyID($1)) }))
    }

    // MARK: Steps of reconciling

    /// Reports that the entity `id` is stored without its requested name, which `owner` has.
    mutating func reportLostName(of id: UUID, to owner: UUID) {
        differing.formUnion([id, owner])
        conflict(id, .lostName(to: AnyID(owner)))
    }

    fileprivate mutating func conflict(_ id: UUID, _ outcome: StorageConflict.Outcome) {
        conflicts.append(StorageConflict(id: id, outcome: outcome))
    }

    /// Restores the tags `kept`, which are not deleted after all, on the items and views from which
    /// their deletion would have removed them. O(changes).
    mutating func keepTags(_ kept: Set<Tag.ID>) {
        guard !kept.isEmpty else { return }
        for (id, change) in rows.items.elements {
            guard let item = change.after, let taken = change.before?.tags.intersection(kept),
                !taken.isSubset(of: item.tags)
            else { continue }
            rows.items[id]?.after?.tags.formUnion(taken)
            differing.insert(id)
        }
        func keep(_ kind: (some SmallEntity).Type) {
            for (id, change) in rows[kind].elements {
                guard let before = change.before, let after = change.after else { continue }
                let restored = after.restoringTag(of: before, among: kept)
                guard restored != after else { continue }
                rows[kind][id]?.after = restored
                differing.insert(id)
            }
        }
        for kind in Kinds.small { keep(kind) }
    }

    /// Keeps an item done if `changes` reopen it but cannot delete its next occurrence, because
    /// another process has edited that. If the item were reopened, it would recur twice.
    /// O(changes).
    mutating func keepDone(in changes: EntityChanges<Item>) {
        for (id, change) in rows.items.elements {
            // If another process deleted the item, the base comes from `changes`, and an item
            // without another edit stays deleted.
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

    /// Keeps an entity deleted if another process has deleted it, and `changes` only remove tags
    /// from it and delete these tags. O(changes).
    ///
    /// - Parameter restoring: returns the entity after the changes with those of its former tags
    ///   that are deleted.
    mutating func keepDeleted<Entity: ListEntity>(
        in changes: EntityChanges<Entity>,
        restoring: (_ after: Entity, _ before: Entity, _ deleted: Set<Tag.ID>) -> Entity
    ) {
        let tags = Set(rows.tags.deletions)
        guard !tags.isEmpty else { return }
        let restored = conflicts.filter { $0.outcome == .restored }
            .compactMap { $0.id.value(as: UUID.self) }
        let kept = restored.filter { id in
            guard let before = changes[id]?.before, let after = changes[id]?.after else {
                return false
            }
            return restoring(after, before, tags) == before
        }
        guard !kept.isEmpty else { return }
        for id in kept { rows[Entity.self][id] = nil }
        differing.formUnion(kept)
        let ids = Set(kept.map { AnyID($0) })
        conflicts.removeAll { $0.outcome == .restored && ids.contains($0.id) }
    }
}

extension EntityChanges where Entity: Equatable, Entity.ID == UUID {
    /// Returns the changes merged with the stored rows that differ from their bases.
    ///
    /// Two edits are merged. An edit wins over a deletion, so an entity that another process has
    /// edited is not deleted. An inserted entity may already be stored, if the insertion is
    /// replayed or undoes a deletion that yielded to an edit.
    ///
    /// - Parameters:
    ///   - result: receives the entities that differ from these changes, and the conflicts.
    ///   - stored: returns the stored value of an entity.
    package func merged<Failure: Error>(
        by merge: StorageMerge<Entity>, _ result: inout Reconciled,
        stored: (Entity.ID) throws(Failure) -> Entity?
    ) throws(Failure) -> EntityChanges {
        var merged = EntityChanges()
        for (id, change) in elements {
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

import FoundationEssentials
import Swidux

/// The changes that interrupted sessions left, reconciled with the current list.
///
/// The previous value in each change is the row that its session knew. The stored row may be newer,
/// or may already contain the change. If the session and another process changed one field, the
/// later edit wins.
package struct AbandonedChanges: Sendable {
    /// The changes that the list does not contain yet, each with the current row as its base.
    package let changes: StorageChanges
    /// The entities in which another process changed the same field.
    package private(set) var conflicts: Set<AnyID> = []
    /// Sentences about tags and names: ``CommitResult/sentences(on:)``.
    package private(set) var sentences: [String] = []

    /// Applies `batches`, one after the other, to a list. O(tags + views + changes).
    ///
    /// - Parameters:
    ///   - rows: the rows of the list; of the items, only those in ``touchedItems(_:)`` are needed.
    package init(_ batches: [StorageChanges], rows: StorageChanges) {
        let before = WholeList(rows)
        var list = before
        var substitutes: [Tag.ID: Tag.ID] = [:]
        for batch in batches {
            let batch = batch.replacingTags(substitutes)
            let result = list.apply(batch, merging: .laterItems, isLast: false)
            for (refused, other) in result.substitutes {
                guard let id = refused.value(as: UUID.self) else { continue }
                substitutes[id] = other.value(as: UUID.self)
            }
            conflicts.formUnion(result.conflicts.filter { !$0.hasOwnSentence }.map(\.id))
            sentences += result.sentences(on: batch)
        }
        changes = list.changes(since: before)
    }

    /// Returns the ids of the items that `batches` change or delete.
    package static func touchedItems(_ batches: [StorageChanges]) -> Set<Item.ID> {
        Set(batches.flatMap(\.items.ids))
    }

    /// Returns the number of entities that `batches` change.
    package static func count(_ batches: [StorageChanges]) -> Int {
        batches.reduce(into: Set<UUID>()) { $0.formUnion($1.ids) }.count
    }
}

extension StorageChanges {
    /// Returns the changes with each tag that has a substitute replaced by it.
    fileprivate func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> StorageChanges {
        guard !substitutes.isEmpty else { return self }
        var changes = self
        for (id, change) in items.elements {
            changes.items[id] = EntityChange(
                before: change.before?.replacingTags(substitutes),
                after: change.after?.replacingTags(substitutes))
        }
        func replace(_ kind: (some SmallEntity).Type) {
            for (id, change) in self[kind].elements {
                changes[kind][id] = EntityChange(
                    before: change.before?.replacingTag(substitutes),
                    after: change.after?.replacingTag(substitutes))
            }
        }
        for kind in Kinds.small { replace(kind) }
        return changes
    }
}

extension Item {
    /// Returns the item with each tag that has a substitute replaced by it. O(tags).
    package func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> Item {
        guard tags.contains(where: { substitutes[$0] != nil }) else { return self }
        var item = self
        item.tags = Set(tags.map { substitutes[$0] ?? $0 })
        return item
    }
}

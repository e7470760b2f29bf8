import FoundationEssentials
import Swidux

/// The changes that interrupted sessions left, reconciled with the present list.
///
/// Each change begins with the row that its session knew, which may be older than the stored one;
/// or it is stored already. Where both changed one field, the later edit stands.
public struct LeftChanges: Sendable {
    /// The changes that the list still lacks, each with the row of the list before it.
    public let changes: StorageChanges
    /// The entities whose same field another process has changed.
    public private(set) var conflicts: Set<AnyID> = []
    /// Sentences about tags and names: ``CommitResult/sentences(on:)``.
    public private(set) var sentences: [String] = []

    /// Applies `batches`, one after the other, to a list. O(tags + views + changes).
    ///
    /// - Parameters:
    ///   - rows: the rows of the list, of items those that ``touchedItems(_:)`` names.
    public init(_ batches: [StorageChanges], rows: StorageChanges) {
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

    /// The ids of the items that `batches` change or delete.
    public static func touchedItems(_ batches: [StorageChanges]) -> Set<Item.ID> {
        Set(batches.flatMap(\.items.ids))
    }

    /// The number of entities that `batches` are about.
    public static func count(_ batches: [StorageChanges]) -> Int {
        batches.reduce(into: Set<UUID>()) { $0.formUnion($1.ids) }.count
    }
}

extension StorageChanges {
    /// Returns the changes with the tags replaced for which `substitutes` has another one.
    fileprivate func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> StorageChanges {
        guard !substitutes.isEmpty else { return self }
        var changes = self
        for (id, change) in items {
            changes.items[id] = EntityChange(
                before: change.before?.replacingTags(substitutes),
                after: change.after?.replacingTags(substitutes))
        }
        func replace(_ kind: (some SmallEntity).Type) {
            for (id, change) in self[kind] {
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
    /// Returns the item with the tags replaced for which `substitutes` has another one. O(tags).
    public func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> Item {
        guard tags.contains(where: { substitutes[$0] != nil }) else { return self }
        var item = self
        item.tags = Set(tags.map { substitutes[$0] ?? $0 })
        return item
    }
}

import FoundationEssentials
import Swidux

/// What interrupted sessions left, brought together with the list as it is now.
///
/// Each change begins with what its session knew, which may be older than what is stored; or it is
/// stored already. Where both changed one field the later edit wins, and a text that yields goes to
/// the note. A new tag whose name another tag has by now is that tag.
public struct LeftChanges: Sendable {
    /// What is still to be done to the list, with the rows of the list as bases.
    public var changes: StorageChanges {
        StorageChanges(tags: tags.changes, views: views.changes, items: items.changes)
    }

    /// The entities that the list had otherwise, in the same field.
    public var conflicts: Set<AnyID> {
        tags.conflicts.union(views.conflicts).union(items.conflicts)
    }

    private var tags: Rows<Tag>
    private var views: Rows<SavedView>
    private var items: Rows<Item>
    private var substitutes: [Tag.ID: Tag.ID] = [:]

    /// Puts `batches`, one after the other, over a list. O(tags + views + changes).
    ///
    /// - Parameters:
    ///   - tags: all tags of the list.
    ///   - views: all its views.
    ///   - items: those of its items that ``touchedItems(_:)`` names.
    public init(
        _ batches: [StorageChanges], tags: [Tag], views: [SavedView], items: [Item]
    ) {
        self.tags = Rows(tags)
        self.views = Rows(views)
        self.items = Rows(items)
        for batch in batches { take(batch) }
    }

    /// The ids of the items that `batches` change or delete.
    public static func touchedItems(_ batches: [StorageChanges]) -> Set<Item.ID> {
        Set(batches.flatMap(\.items.ids))
    }

    /// The number of entities that `batches` are about.
    public static func count(_ batches: [StorageChanges]) -> Int {
        batches.reduce(into: Set<UUID>()) { $0.formUnion($1.ids) }.count
    }

    private mutating func take(_ batch: StorageChanges) {
        let known = batch.tags.only { tags[$0] != nil || batch.tags[$0]?.after == nil }
        tags.take(known, by: .tags)
        var kept = Reconciled(batch)
        kept.keepTags(Set(batch.tags.deletions.filter { tags[$0] != nil }))
        let batch = kept.rows
        // Names change hands within a batch: only now is it known which are free.
        var holders = Dictionary(
            tags.values.map { ($0.foldedName, $0.id) }, uniquingKeysWith: { first, _ in first })
        for tag in batch.tags.upserts where tags[tag.id] == nil {
            substitutes[tag.id] = holders[tag.foldedName]
            guard substitutes[tag.id] == nil else { continue }
            tags.set(tag.id, tag)
            holders[tag.foldedName] = tag.id
        }
        views.take(batch.views.mapping { $0.replacingTag(substitutes) }, by: .views)
        items.take(batch.items.mapping { $0.replacingTags(substitutes) }, by: .laterItems)
    }
}

/// Rows of a list with changes over them.
private struct Rows<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID == UUID {
    private let stored: [UUID: Entity]
    private var changed: [UUID: Entity?] = [:]
    private var order: [UUID] = []
    private(set) var conflicts: Set<AnyID> = []

    init(_ stored: [Entity]) {
        self.stored = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    subscript(id: UUID) -> Entity? { changed[id] ?? stored[id] }

    /// All of them as they are now, in no particular order.
    var values: [Entity] {
        stored.values.filter { changed[$0.id] == nil } + changed.values.compactMap(\.self)
    }

    mutating func set(_ id: UUID, _ value: Entity?) {
        if changed.updateValue(value, forKey: id) == nil { order.append(id) }
    }

    mutating func take(_ changes: EntityChanges<Entity>, by merge: StorageMerge<Entity>) {
        var report = Reconciled()
        let merged = changes.merged(by: merge, &report) { self[$0] }
        for (id, change) in merged { set(id, change.after) }
        conflicts.formUnion(report.conflicts.map(\.id))
    }

    /// How the rows differ from those of the list.
    var changes: EntityChanges<Entity> {
        var changes = EntityChanges<Entity>()
        for id in order where self[id] != stored[id] {
            changes[id] = EntityChange(before: stored[id], after: self[id])
        }
        return changes
    }
}

extension EntityChanges {
    /// The same changes of entities that `body` makes of these.
    fileprivate func mapping(_ body: (Entity) -> Entity) -> EntityChanges {
        var changes = self
        for (id, change) in self {
            changes[id] = EntityChange(
                before: change.before.map(body), after: change.after.map(body))
        }
        return changes
    }
}

extension Item {
    /// The same with other tags: those that `substitutes` has one for are replaced. O(tags).
    public func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> Item {
        guard tags.contains(where: { substitutes[$0] != nil }) else { return self }
        var item = self
        item.tags = Set(tags.map { substitutes[$0] ?? $0 })
        return item
    }
}

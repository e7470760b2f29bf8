import FoundationEssentials
import Swidux

/// A whole list, held in memory.
///
/// A copy is free, so a commit works on one and leaves the other as it was.
package struct WholeList {
    /// The id of the list itself, by which another version of its file is recognized.
    package var id: UUID?
    package private(set) var tags = EntityStore<Tag>()
    package private(set) var views = EntityStore<SavedView>()
    package private(set) var items = EntityStore<Item>()
    /// The other members of the list's file, which are kept.
    package var others: [Item.Extra]

    /// A list of these.
    package init(
        id: UUID? = nil, tags: [Tag] = [], views: [SavedView] = [], items: [Item] = [],
        others: [Item.Extra] = []
    ) {
        self.id = id
        self.others = others
        self.tags.hydrate(tags)
        self.views.hydrate(views)
        self.items.hydrate(items)
        self.tags.endHydration()
        self.views.endHydration()
        self.items.endHydration()
    }

    // MARK: Reading

    /// Whether this copy and `other` are equal, without a change in between. O(1).
    package func isSame(as other: WholeList) -> Bool {
        tags.revision == other.tags.revision && views.revision == other.views.revision
            && items.revision == other.items.revision
    }

    /// Up to `limit` items after `cursor`, or the first. O(log² n + `limit`).
    package func items(after cursor: ItemPosition?, limit: Int) -> [Item] {
        guard let cursor else { return items.page(at: 0, count: limit) }
        var (start, end) = (0, items.count)
        while start < end {
            let middle = (start + end) / 2
            if let item = items.entity(at: middle), item.position <= cursor {
                start = middle + 1
            } else {
                end = middle
            }
        }
        return items.page(at: start, count: limit)
    }

    // MARK: Writing

    /// Writes `changes`, reconciled with the list unless that is current.
    /// O(tags + views + changes × log n), and O(n) if a tag goes.
    package mutating func apply(
        _ changes: StorageChanges, isCurrent: Bool = false,
        merging merge: StorageMerge<Item> = .items, isLast: Bool = true
    ) -> CommitResult {
        var reconciled = changes.reconciled(
            with: self, isCurrent: isCurrent, merging: merge, isLast: isLast)
        let rows = reconciled.rows
        let gone = rows.tags.deletions.filter { tags.contains($0) }
        for (id, change) in rows.tags { tags[id] = change.after }
        for (id, change) in rows.views { views[id] = change.after }
        for (id, change) in rows.items { items[id] = change.after }
        if !gone.isEmpty { takeOff(Set(gone), &reconciled) }
        tags.resetChanges()
        views.resetChanges()
        items.resetChanges()
        return reconciled.result { ids in
            var stored = StorageChanges()
            stored.tags.upsert(ids.compactMap { tags[$0] })
            stored.views.upsert(ids.compactMap { views[$0] })
            stored.items.upsert(ids.compactMap { items[$0] })
            return stored
        }
    }

    private mutating func takeOff(_ gone: Set<Tag.ID>, _ reconciled: inout Reconciled) {
        for view in views where view.tag.map(gone.contains) ?? false {
            reconciled.detached([view.id])
            views.modify(view.id) { $0.tag = nil }
        }
        for item in items where !item.tags.isDisjoint(with: gone) {
            for tag in item.tags.intersection(gone) { reconciled.took(tag, off: [item.id]) }
            items.modify(item.id) { $0.tags.subtract(gone) }
        }
    }

    /// Takes the entities `ids` as `other` has them. O(`ids` × log n).
    package mutating func take(_ ids: Set<UUID>, from other: WholeList) {
        for id in ids {
            tags[id] = other.tags[id]
            views[id] = other.views[id]
            items[id] = other.items[id]
        }
        tags.resetChanges()
        views.resetChanges()
        items.resetChanges()
    }

    /// The changes that make this list of `older`. O(n).
    package func changes(since older: WholeList) -> StorageChanges {
        StorageChanges(
            tags: Self.changes(from: older.tags, to: tags),
            views: Self.changes(from: older.views, to: views),
            items: Self.changes(from: older.items, to: items))
    }

    /// Returns true if this list has an entity that `other` lacks, or a later edit of an item.
    /// O(n).
    package func hasMore(than other: WholeList) -> Bool {
        tags.contains { !other.tags.contains($0.id) }
            || views.contains { !other.views.contains($0.id) }
            || items.contains { item in
                other.items[item.id].map { $0.updatedAt < item.updatedAt } ?? true
            }
    }

    private static func changes<Entity: Ranked & Equatable>(
        from older: EntityStore<Entity>, to newer: EntityStore<Entity>
    ) -> EntityChanges<Entity> {
        var changes = EntityChanges<Entity>()
        for delta in newer.differences(from: older) {
            changes[delta.id] = EntityChange(before: delta.before, after: delta.after)
        }
        return changes
    }
}

extension WholeList: StoredRows {
    package typealias Failure = Never

    package func storedTags() -> [Tag] { tags.values }
    package func storedViews() -> [SavedView] { views.values }
    package func storedItem(_ id: Item.ID) -> Item? { items[id] }
    package func foldedTagNames() -> [Tag.ID: String] {
        Dictionary(uniqueKeysWithValues: tags.map { ($0.id, $0.foldedName) })
    }
}

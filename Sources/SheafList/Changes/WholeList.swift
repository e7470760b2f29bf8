import FoundationEssentials
import Swidux

/// A whole list in memory.
///
/// Copies share storage, so a commit works on a copy and leaves the original unchanged at no cost.
package struct WholeList {
    /// The id of the list itself, which identifies it in other versions of its file.
    package var id: UUID?
    package internal(set) var tags = EntityStore<Tag>()
    package internal(set) var views = EntityStore<SavedView>()
    package internal(set) var items = EntityStore<Item>()
    /// The other members of the list's file, which are kept.
    package var others: [Item.Extra]
    /// The version of the file's format if an earlier program wrote the file, or `nil`.
    package var earlierVersion: Int?

    /// Creates a list with `rows`, which are upserts.
    package init(
        _ rows: StorageChanges = StorageChanges(), id: UUID? = nil, others: [Item.Extra] = []
    ) {
        self.id = id
        self.others = others
        func fill(_ kind: (some ListEntity).Type) {
            self[kind].hydrate(rows[kind].upserts)
            self[kind].endHydration()
        }
        for kind in Kinds.all { fill(kind) }
    }

    /// The rows of one kind.
    package internal(set) subscript<Entity: ListEntity>(
        _ kind: Entity.Type
    ) -> EntityStore<Entity> {
        get { self[keyPath: Entity.store] }
        _modify { yield &self[keyPath: Entity.store] }
    }

    // MARK: Reading

    /// Returns true if this list and `other` are copies without a change in between. O(1).
    package func isSame(as other: WholeList) -> Bool {
        func isSame(_ kind: (some ListEntity).Type) -> Bool {
            self[kind].revision == other[kind].revision
        }
        return Kinds.all.allSatisfy { isSame($0) }
    }

    /// Returns up to `limit` items after `cursor`, or the first ones if it is nil. O(log² n +
    /// `limit`).
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

    /// Applies `changes`, reconciled with the list unless it is current. O(tags + views + changes ×
    /// log n), and O(n) if a tag is deleted.
    package mutating func apply(
        _ changes: StorageChanges, isCurrent: Bool = false,
        merging merge: StorageMerge<Item> = .items, isLast: Bool = true
    ) -> CommitResult {
        var reconciled = changes.reconciled(
            with: self, isCurrent: isCurrent, merging: merge, isLast: isLast)
        let rows = reconciled.rows
        let gone = rows.tags.deletions.filter { tags.contains($0) }
        func write<Entity: ListEntity>(_ kind: Entity.Type, to store: inout EntityStore<Entity>) {
            for (id, change) in rows[kind].elements { store[id] = change.after }
        }
        func write(_ kind: (some ListEntity).Type) { write(kind, to: &self[kind]) }
        for kind in Kinds.all { write(kind) }
        if !gone.isEmpty { removeTags(Set(gone), &reconciled) }
        resetChanges()
        return reconciled.result(read: rows(of:))
    }

    /// The rows of all kinds that are read as a whole, as upserts.
    package var smallRows: StorageChanges {
        var rows = StorageChanges()
        func read(_ kind: (some SmallEntity).Type) { rows[kind].upsert(self[kind].values) }
        for kind in Kinds.small { read(kind) }
        return rows
    }

    /// Returns the rows of the entities `ids`.
    private func rows(of ids: Set<UUID>) -> StorageChanges {
        var rows = StorageChanges()
        func read(_ kind: (some ListEntity).Type) {
            rows[kind].upsert(ids.compactMap { self[kind][$0] })
        }
        for kind in Kinds.all { read(kind) }
        return rows
    }

    private mutating func resetChanges() {
        func reset(_ kind: (some ListEntity).Type) { self[kind].resetChanges() }
        for kind in Kinds.all { reset(kind) }
    }

    private mutating func removeTags(_ gone: Set<Tag.ID>, _ reconciled: inout Reconciled) {
        func detach(_ kind: (some SmallEntity).Type) {
            for entity in self[kind] {
                let taken = entity.referencedTags.intersection(gone)
                guard !taken.isEmpty else { continue }
                for tag in taken { reconciled.reportRemoval(of: tag, from: [entity.id]) }
                self[kind][entity.id] = entity.withoutTag(where: gone.contains)
            }
        }
        for kind in Kinds.small { detach(kind) }
        for item in items where !item.tags.isDisjoint(with: gone) {
            for tag in item.tags.intersection(gone) {
                reconciled.reportRemoval(of: tag, from: [item.id])
            }
            items.modify(item.id) { $0.tags.subtract(gone) }
        }
    }

    /// Replaces the entities `ids` by their values in `other`. O(`ids` × log n).
    package mutating func replace(_ ids: Set<UUID>, from other: WholeList) {
        func replace(_ kind: (some ListEntity).Type) {
            for id in ids { self[kind][id] = other[kind][id] }
        }
        for kind in Kinds.all { replace(kind) }
        resetChanges()
    }

    /// Returns the changes that turn `older` into this list. O(n).
    package func changes(since older: WholeList) -> StorageChanges {
        var changes = StorageChanges()
        func compare(_ kind: (some ListEntity).Type) {
            for delta in self[kind].differences(from: older[kind]) {
                changes[kind][delta.id] = EntityChange(before: delta.before, after: delta.after)
            }
        }
        for kind in Kinds.all { compare(kind) }
        return changes
    }

    /// Returns true if this list has an entity that `other` lacks, or a later edit of an item.
    /// O(n).
    package func hasMore(than other: WholeList) -> Bool {
        func hasMore(_ kind: (some ListEntity).Type) -> Bool {
            self[kind].contains { !other[kind].contains($0.id) }
        }
        return Kinds.small.contains { hasMore($0) }
            || items.contains { item in
                other.items[item.id].map { $0.updatedAt < item.updatedAt } ?? true
            }
    }
}

extension WholeList: StoredRows {
    package typealias Failure = Never

    package func stored<Entity: SmallEntity>(_ kind: Entity.Type) -> [Entity] { self[kind].values }
    package func storedItem(_ id: Item.ID) -> Item? { items[id] }
    package func foldedTagNames() -> [Tag.ID: String] {
        Dictionary(uniqueKeysWithValues: tags.map { ($0.id, $0.foldedName) })
    }
}

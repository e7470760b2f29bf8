import FoundationEssentials
import Swidux

/// Everything that one flush hands to storage, which commits all of it or nothing.
///
/// A backend writes tags, then views, then items, and then deletes items, then views, then tags, so
/// that no row ever refers to a missing row (``Kinds``).
package struct StorageChanges: Sendable, Equatable {
    package var tags = EntityChanges<Tag>()
    package var views = EntityChanges<SavedView>()
    package var items = EntityChanges<Item>()
    /// The authors of fetched items, if storage knows them and they are other users.
    package var authors: [Item.ID: Author] = [:]
    /// The name of the commit by which an interrupted session tried to save the changes, if a
    /// server can tell whether it has made that commit.
    package var batch: BatchName?

    package init() {}

    package init(
        tags: EntityChanges<Tag>, views: EntityChanges<SavedView>, items: EntityChanges<Item>
    ) {
        self.tags = tags
        self.views = views
        self.items = items
    }

    /// The changes of one kind.
    package subscript<Entity: ListEntity>(_ kind: Entity.Type) -> EntityChanges<Entity> {
        get { self[keyPath: Entity.changes] }
        _modify { yield &self[keyPath: Entity.changes] }
    }

    package var isEmpty: Bool {
        func isEmpty(_ kind: (some ListEntity).Type) -> Bool { self[kind].isEmpty }
        return Kinds.all.allSatisfy { isEmpty($0) }
    }

    package var hasDeletions: Bool {
        func hasDeletions(_ kind: (some ListEntity).Type) -> Bool { self[kind].hasDeletions }
        return Kinds.all.contains { hasDeletions($0) }
    }

    /// True if the changes insert the next occurrence of a recurring item. If storage already has
    /// the occurrence, it keeps its own. This can happen even if no other process has committed,
    /// because this process may still be reading the list.
    package var haveNext: Bool {
        items.elements.contains {
            $0.change.before == nil && $0.change.after?.isUntouchedNext ?? false
        }
    }

    /// The number of changed entities.
    package var count: Int {
        func count(_ kind: (some ListEntity).Type) -> Int { self[kind].count }
        return Kinds.all.reduce(0) { $0 + count($1) }
    }

    /// The ids of all changed entities.
    package var ids: Set<UUID> {
        var ids: Set<UUID> = []
        func add(_ kind: (some ListEntity).Type) { ids.formUnion(self[kind].ids) }
        for kind in Kinds.all { add(kind) }
        return ids
    }

    /// Adds later changes: each entity gets the later value, and its change keeps its base.
    /// O(later).
    package mutating func add(_ later: StorageChanges) {
        func add(_ kind: (some ListEntity).Type) { self[kind].add(later[kind]) }
        for kind in Kinds.all { add(kind) }
    }

    /// Deletes the entity `id` of the kind with the number ``ListEntity/number``, if there is such
    /// a kind.
    package mutating func delete(_ id: UUID, ofKind number: Int64) {
        func delete(_ kind: (some ListEntity).Type) { self[kind].delete([id]) }
        for kind in Kinds.all where kind.number == number { delete(kind) }
    }

    /// Deletes the entities of `rows`. O(rows).
    package mutating func delete(_ rows: StorageChanges) {
        func delete(_ kind: (some ListEntity).Type) { self[kind].delete(rows[kind].ids) }
        for kind in Kinds.all { delete(kind) }
    }

    /// Returns the changes of the entities `ids`. O(changes).
    package func only(_ ids: Set<UUID>) -> StorageChanges { only { ids.contains($0) } }

    /// Returns the changes of all entities except `ids`. O(changes).
    package func without(_ ids: Set<UUID>) -> StorageChanges {
        ids.isEmpty ? self : only { !ids.contains($0) }
    }

    private func only(_ isIncluded: (UUID) -> Bool) -> StorageChanges {
        var some = StorageChanges()
        func take(_ kind: (some ListEntity).Type) { some[kind] = self[kind].only(isIncluded) }
        for kind in Kinds.all { take(kind) }
        return some
    }
}

/// The differences between a commit's changes and the stored rows, with these rows.
package typealias CommitResult = Swidux.CommitResult<StorageChanges>

import FoundationEssentials
import Swidux

/// Everything that one flush hands to storage: committed as a whole or not at all.
///
/// A backend applies tags, then views, then items, then deletes items, then views, then tags, so
/// that no row ever refers to one that is not there.
public struct StorageChanges: Sendable, Equatable {
    public var tags = EntityChanges<Tag>()
    public var views = EntityChanges<SavedView>()
    public var items = EntityChanges<Item>()
    /// Who wrote items that were fetched, where storage knows and it was another person.
    public var authors: [Item.ID: Author] = [:]
    /// The commit by which an interrupted session tried to save them, if a server can tell whether
    /// it has made that.
    public var batch: BatchName?

    public init() {}

    public init(
        tags: EntityChanges<Tag>, views: EntityChanges<SavedView>, items: EntityChanges<Item>
    ) {
        self.tags = tags
        self.views = views
        self.items = items
    }

    public var isEmpty: Bool { tags.isEmpty && views.isEmpty && items.isEmpty }

    public var hasDeletions: Bool {
        tags.hasDeletions || views.hasDeletions || items.hasDeletions
    }

    /// Whether the next occurrence of a repeating item is among them. Storage may have it already,
    /// and then keeps its own, even if no other process has committed: the process that made this
    /// one may still be reading the list.
    public var haveNext: Bool {
        items.contains { $0.change.before == nil && $0.change.after?.isUntouchedNext ?? false }
    }

    /// How many entities the changes are about.
    public var count: Int { tags.count + views.count + items.count }

    /// The ids of all entities that the changes are about.
    public var ids: Set<UUID> {
        Set(tags.ids).union(views.ids).union(items.ids)
    }

    /// Adds later changes: each entity gets the later value, and its change keeps its base.
    /// O(later).
    public mutating func add(_ later: StorageChanges) {
        tags.add(later.tags)
        views.add(later.views)
        items.add(later.items)
    }

    /// The changes of the entities `ids`. O(changes).
    public func only(_ ids: Set<UUID>) -> StorageChanges {
        StorageChanges(
            tags: tags.only(ids.contains), views: views.only(ids.contains),
            items: items.only(ids.contains))
    }

    /// The changes of all entities but `ids`. O(changes).
    public func without(_ ids: Set<UUID>) -> StorageChanges {
        if ids.isEmpty { return self }
        return StorageChanges(
            tags: tags.only { !ids.contains($0) }, views: views.only { !ids.contains($0) },
            items: items.only { !ids.contains($0) })
    }
}

/// The differences between a commit's changes and the stored rows, with these rows.
public typealias CommitResult = Swidux.CommitResult<StorageChanges>

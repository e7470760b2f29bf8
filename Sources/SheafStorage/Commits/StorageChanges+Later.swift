import FoundationEssentials
import SheafList

extension StorageChanges {
    /// Adds newer changes: for each entity the newer value, and the base of the first change.
    package mutating func take(_ newer: StorageChanges) {
        tags.take(newer.tags)
        views.take(newer.views)
        items.take(newer.items)
    }

    /// Returns the changes of all entities but `ids`.
    package func without(_ ids: Set<UUID>) -> StorageChanges {
        StorageChanges(
            tags: tags.without(ids), views: views.without(ids), items: items.without(ids))
    }
}

extension EntityChanges where Entity.ID == UUID {
    fileprivate func without(_ ids: Set<UUID>) -> EntityChanges {
        var changes = self
        changes.upserts.removeAll { ids.contains($0.id) }
        changes.deletions.removeAll { ids.contains($0) }
        return changes
    }
}

extension EntityChanges {
    /// Adds newer changes. An entity that is new here keeps its base. If it was inserted, the value
    /// inserted is the base of later edits.
    fileprivate mutating func take(_ newer: EntityChanges) {
        let touched = Set(newer.upserts.map(\.id) + newer.deletions)
        let known = Set(upserts.map(\.id) + deletions)
        let inserted = Dictionary(
            newer.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for id in touched.subtracting(known) { bases[id] = newer.bases[id] ?? inserted[id] }
        upserts.removeAll { touched.contains($0.id) }
        deletions.removeAll { touched.contains($0) }
        upserts += newer.upserts
        deletions += newer.deletions
    }
}

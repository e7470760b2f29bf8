import FoundationEssentials
import SheafCore
import Swidux

extension StorageChanges {
    /// What is still to be done of the changes once all but the refused `rows` is in a list with
    /// the tags `stored`: those rows, and for items that went in without a new tag, that tag alone.
    func kept(_ rows: [RefusedRow], stored: [Tag]) -> StorageChanges {
        let refused = Set(rows.compactMap(\.id))
        var kept = only(refused)
        let missing = Set(kept.tags.upserts.map(\.id)).subtracting(stored.map(\.id))
        for item in items.upserts
        where !refused.contains(item.id) && !item.tags.isDisjoint(with: missing) {
            kept.items.upserts.append(item)
            var base = item
            base.tags.subtract(missing)
            kept.items.bases[item.id] = base
        }
        return kept
    }

    /// The ids of all items and tags that the changes are about.
    var ids: Set<UUID> {
        Set(
            tags.upserts.map(\.id) + tags.deletions + items.upserts.map(\.id) + items.deletions)
    }

    /// The changes of the items and tags with these ids.
    func only(_ ids: Set<UUID>) -> StorageChanges {
        var some = StorageChanges()
        some.tags = tags.only(ids)
        some.items = items.only(ids)
        return some
    }
}

extension EntityChanges where Entity.ID == UUID {
    fileprivate func only(_ ids: Set<UUID>) -> EntityChanges {
        var some = EntityChanges()
        some.upserts = upserts.filter { ids.contains($0.id) }
        some.deletions = deletions.filter(ids.contains)
        some.bases = bases.filter { ids.contains($0.key) }
        return some
    }
}

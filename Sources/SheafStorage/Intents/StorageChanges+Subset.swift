import FoundationEssentials
import SheafCore
import Swidux

extension LeftOutcome {
    /// What is still to be done: the rows that were refused, and for items that went in without a
    /// refused tag, that tag alone.
    var kept: StorageChanges {
        let refused = Set(lost.compactMap(\.id))
        var kept = changes.only(refused)
        let wanted = Set(kept.tags.upserts.map(\.id))
        let carried = Dictionary(
            (stored?.items.upserts ?? []).map { ($0.id, $0.tags) }, uniquingKeysWith: { $1 })
        for item in changes.items.upserts where !refused.contains(item.id) {
            let missing = item.tags.intersection(wanted).subtracting(carried[item.id] ?? item.tags)
            guard !missing.isEmpty else { continue }
            var base = item
            base.tags.subtract(missing)
            kept.items.replace(base, with: item)
        }
        return kept
    }
}

extension StorageChanges {
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

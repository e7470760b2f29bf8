import FoundationEssentials
import SheafList
import Swidux

extension AbandonedOutcome {
    /// The changes that remain in the log: refused rows, refused tags of stored items and views,
    /// and new queries of views that use a refused tag.
    var kept: StorageChanges {
        let refused = Set(lost.compactMap { $0.id.value(as: UUID.self) })
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
        let shown = Dictionary(
            (stored?.views.upserts ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for view in changes.views.upserts where !refused.contains(view.id) {
            guard !wanted.isEmpty, let stored = shown[view.id] else { continue }
            var base = view.withoutTag { wanted.contains($0) && stored.tag == nil }
            base.query = stored.query
            if base != view { kept.views.replace(base, with: view) }
        }
        return kept
    }
}

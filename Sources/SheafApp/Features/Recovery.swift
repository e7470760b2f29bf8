import SheafList

/// Recovery of changes that interrupted sessions left.
extension AppState {
    /// Applies the changes in `abandoned` as edits of this session: they are shown, counted as
    /// unsaved, and saved like any other.
    ///
    /// - Parameter items: the stored items among those that the changes affect.
    mutating func recover(_ abandoned: AbandonedLogContent, stored items: [Item]) {
        list.waitingChanges = 0
        self.items.hydrate(items)
        let touched = AbandonedChanges.touchedItems(abandoned.batches)
        var rows = StorageChanges()
        func read(_ kind: (some StateEntity).Type) { rows[kind].upsert(self[kind].values) }
        for kind in AppState.kinds where kind != Item.self { read(kind) }
        rows.items.upsert(touched.compactMap { self.items[$0] })
        let merged = AbandonedChanges(abandoned.batches, rows: rows)
        let changes = merged.changes
        apply(changes)
        let gone = Set(changes.tags.deletions)
        if !gone.isEmpty {
            removeFromViews(gone)
            for item in self.items where !item.tags.isDisjoint(with: gone) {
                self.items.modify(item.id) { $0.tags.subtract(gone) }
            }
            list.loading?.goneTags.formUnion(gone)
        }
        if let last = self.items.last?.rank, let known = list.loading?.lastRank {
            list.loading?.lastRank = max(last, known)
        }
        showRecovery(of: abandoned, merged)
    }

    private mutating func showRecovery(
        of abandoned: AbandonedLogContent, _ merged: AbandonedChanges
    ) {
        let count = AbandonedChanges.count(abandoned.batches)
        if count > 0, let reason = list.readOnlyReason {
            let number = "\(count.grouped) change\(count == 1 ? "" : "s")"
            list.notice = "Cannot save \(number) of \(abandoned.session). \(reason)"
        } else if count > 0 {
            // The most important part comes first, because a narrow status line cuts off the end.
            let conflicts = merged.conflicts.count
            let clause =
                conflicts == 0 ? "" : " (\(conflicts.grouped) also changed by another process)"
            let sentences = ["Recovered \(count.changes)\(clause) of \(abandoned.session)"]
            list.notice = (sentences + merged.sentences).joined(separator: ". ")
        } else if let error = abandoned.unreadable.first {
            // The path is left out, because the status line may have no room for it.
            list.notice = "Cannot recover changes: \(error.reason); see 'sheaf doctor'"
        }
    }
}

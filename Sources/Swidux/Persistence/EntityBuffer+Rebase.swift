import OrderedCollections

/// What bringing rows of storage together with what waits has come to.
@usableFromInline struct Rebase {
    /// The entities where one edit had to yield.
    @usableFromInline var conflicts: [StorageConflict] = []
    /// Whether what waits is no longer what the log says.
    @usableFromInline var hasMoved = false
    /// How many entities are shown otherwise.
    @usableFromInline var shown = 0

    @inlinable init() {}
}

/// What storage has now, brought together with what waits here.
extension EntityBuffer {
    /// Removes the pending changes that storage has made although their commit seemed to fail, and
    /// bases later changes of the same entities on them. Returns true if a pending change is
    /// altered. O(`made`).
    @inlinable func confirm(_ made: EntityChanges<Entity>) -> Bool {
        var hasMoved = false
        for (id, change) in made {
            guard let waiting = pending[id] else { continue }
            hasMoved = true
            if waiting.after == change.after {
                pending[id] = nil
            } else {
                pending.byID[id]?.beforeBox = change.afterBox
            }
        }
        return hasMoved
    }

    /// Puts what waits here on top of `theirs`, which storage has now, so that neither edit is
    /// lost, and adds to `shown` what that changes in the state. O(rows × log n).
    ///
    /// The state is the one that was drained last, and nothing may be in flight: what that does to
    /// storage would not be known.
    @inlinable func rebase(
        onto theirs: EntityChanges<Entity>, showing shown: inout EntityChanges<Entity>
    ) -> Rebase {
        var result = Rebase()
        for (id, change) in theirs {
            if let entity = change.after {
                rebase(onto: entity, &shown, &result)
            } else {
                rebase(ontoDeletionOf: id, &shown, &result)
            }
        }
        result.shown = shown.count
        return result
    }

    @inlinable func rebase(
        onto theirs: Entity, _ shown: inout EntityChanges<Entity>, _ result: inout Rebase
    ) {
        let id = theirs.id
        if let refusal = refused[id] {
            // What is shown stays; the next change of it begins with this.
            if refusal.base?.entity != theirs { result.hasMoved = true }
            refused[id]?.base = EntityBox(theirs)
            return
        }
        guard let waiting = pending[id] else {
            if drained?[id] != theirs { shown.upsert(theirs) }
            return
        }
        if waiting.beforeBox?.entity == theirs { return }
        result.hasMoved = true
        guard let mine = waiting.after else {
            // An edit beats a deletion.
            pending[id] = nil
            shown.upsert(theirs)
            result.conflicts.append(StorageConflict(id: id, outcome: .notDeleted))
            return
        }
        let outcome = merge(base: waiting.beforeBox?.entity, mine: mine, theirs: theirs)
        pending[id] =
            outcome.value == theirs
            ? nil : Change(before: theirs, after: outcome.value)
        if outcome.value != mine { shown.upsert(outcome.value) }
        if outcome.isConflict {
            let isKept = outcome.value == mine
            result.conflicts.append(StorageConflict(id: id, outcome: isKept ? .kept : .merged))
        }
    }

    @inlinable func rebase(
        ontoDeletionOf id: Entity.ID, _ shown: inout EntityChanges<Entity>,
        _ result: inout Rebase
    ) {
        if let refusal = refused[id] {
            if refusal.base != nil { result.hasMoved = true }
            refused[id]?.base = nil
            return
        }
        guard let waiting = pending[id] else {
            if drained?.contains(id) ?? true { shown.delete([id]) }
            return
        }
        guard waiting.afterBox != nil else {
            pending[id] = nil
            result.hasMoved = true
            return
        }
        // An edit beats a deletion. What was not in storage before cannot have been deleted there.
        guard waiting.beforeBox != nil else { return }
        pending.byID[id]?.beforeBox = nil
        result.hasMoved = true
        result.conflicts.append(StorageConflict(id: id, outcome: .kept))
    }
}

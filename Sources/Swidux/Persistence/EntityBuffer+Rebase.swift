/// Merging the present rows of storage with pending changes.
extension EntityBuffer {
    /// Removes the pending changes that storage has made, and makes them the base of later changes
    /// to the same entities. Returns true if a pending change was altered.
    func confirm(_ made: Changes, in pending: inout Changes) -> Bool {
        edit(&pending) { pending in
            var isAltered = false
            for (id, change) in made[keyPath: path].elements {
                guard let waiting = pending[id] else { continue }
                isAltered = true
                if waiting.after == change.after {
                    pending[id] = nil
                } else {
                    pending.byID[id]?.beforeBox = change.afterBox
                }
            }
            return isAltered
        }
    }

    /// Rebases the pending changes onto `theirs`, so that edits of both are kept. Adds the
    /// differences from the state, which must be the one that was drained last, to `shown`.
    func rebase(
        _ pending: inout Changes, onto theirs: Changes, showing shown: inout Changes,
        _ result: inout Rebase
    ) {
        edit(&pending) { pending in
            edit(&shown) { shown in
                for (id, change) in theirs[keyPath: path].elements {
                    if let entity = change.after {
                        rebase(&pending, onto: entity, &shown, &result)
                    } else {
                        rebase(&pending, ontoDeletionOf: id, &shown, &result)
                    }
                }
                result.shown += shown.count
            }
        }
    }

    private func rebase(
        _ pending: inout EntityChanges<Entity>, onto theirs: Entity,
        _ shown: inout EntityChanges<Entity>, _ result: inout Rebase
    ) {
        let id = theirs.id
        if let refusal = refused[id] {
            // The shown value stays. The next change of the entity starts from the value in
            // storage.
            if refusal.base?.value != theirs { result.isAltered = true }
            refused[id]?.base = SharedEntity(theirs)
            return
        }
        guard let waiting = pending[id] else {
            if drained?[id] != theirs { shown.upsert(theirs) }
            return
        }
        if waiting.beforeBox?.value == theirs { return }
        result.isAltered = true
        guard let mine = waiting.after else {
            // An edit beats a deletion.
            pending[id] = nil
            shown.upsert(theirs)
            result.conflicts.append(StorageConflict(id: id, in: keyPath, outcome: .notDeleted))
            return
        }
        let outcome = merge(base: waiting.beforeBox?.value, mine: mine, theirs: theirs)
        pending[id] =
            outcome.value == theirs ? nil : EntityChange(before: theirs, after: outcome.value)
        if outcome.value != mine { shown.upsert(outcome.value) }
        if outcome.isConflict {
            let isKept = outcome.value == mine
            result.conflicts.append(
                StorageConflict(id: id, in: keyPath, outcome: isKept ? .kept : .merged))
        }
    }

    private func rebase(
        _ pending: inout EntityChanges<Entity>, ontoDeletionOf id: Entity.ID,
        _ shown: inout EntityChanges<Entity>, _ result: inout Rebase
    ) {
        if let refusal = refused[id] {
            if refusal.base != nil { result.isAltered = true }
            refused[id]?.base = nil
            return
        }
        guard let waiting = pending[id] else {
            if drained?.contains(id) ?? true { shown.delete([id]) }
            return
        }
        guard waiting.afterBox != nil else {
            pending[id] = nil
            result.isAltered = true
            return
        }
        // An edit wins over a deletion. An entity that was not in storage before cannot have been
        // deleted there.
        guard waiting.beforeBox != nil else { return }
        pending.byID[id]?.beforeBox = nil
        result.isAltered = true
        result.conflicts.append(StorageConflict(id: id, in: keyPath, outcome: .restored))
    }
}

import OrderedCollections

/// What another process has changed in storage becomes what is shown here.
extension EntityBuffer {
    /// Takes in what storage has now, beneath what waits here: that is applied to it anew, so that
    /// neither edit is lost. Nothing of it is recorded. Returns the ids of edits that had to yield
    /// to one here.
    ///
    /// Nothing may be in flight: what it does to storage would not be known.
    @inlinable func adopt(_ theirs: EntityChanges<Entity>, into state: inout State) -> [AnyID] {
        var conflicts: [AnyID] = []
        for entity in theirs.upserts {
            if refused[entity.id] != nil {
                // What is shown stays; the next change of it begins with this.
                refused[entity.id]?.base = EntityBox(entity)
            } else if let waiting = pending[entity.id] {
                if rebase(waiting, onto: entity, in: &state) { conflicts.append(AnyID(entity.id)) }
            } else {
                state[keyPath: keyPath].put(entity, place: nil, isRecorded: false)
            }
        }
        for id in theirs.deletions {
            guard refused[id] == nil else {
                refused[id]?.base = nil
                continue
            }
            guard let waiting = pending[id] else {
                state[keyPath: keyPath].remove(id, isRecorded: false)
                continue
            }
            guard waiting.value != nil else {
                pending[id] = nil
                continue
            }
            // An edit beats a deletion. What was not in storage before cannot have been deleted
            // there.
            if waiting.base != nil { conflicts.append(AnyID(id)) }
            pending[id]?.base = nil
        }
        state[keyPath: keyPath].resetChanges()
        drained = state[keyPath: keyPath]
        return conflicts
    }

    /// Applies what waits for an entity to what storage has of it now. Returns whether one of them
    /// had to yield.
    @inlinable func rebase(
        _ waiting: Operation, onto theirs: Entity, in state: inout State
    ) -> Bool {
        guard let mine = waiting.value?.entity else {
            if waiting.base?.entity == theirs { return false }
            // An edit beats a deletion.
            pending[theirs.id] = nil
            state[keyPath: keyPath].put(theirs, place: nil, isRecorded: false)
            return true
        }
        let outcome = merge(base: waiting.base?.entity, mine: mine, theirs: theirs)
        pending[theirs.id] =
            outcome.value == theirs
            ? nil : Operation(base: EntityBox(theirs), value: EntityBox(outcome.value))
        state[keyPath: keyPath].put(outcome.value, place: nil, isRecorded: false)
        return outcome.isConflict
    }
}

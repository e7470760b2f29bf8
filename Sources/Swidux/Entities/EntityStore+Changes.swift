import OrderedCollections

/// The changes of a store, for persistence, undo and views.
extension EntityStore {
    /// The ids inserted, changed and deleted since ``resetChanges()``, except by hydration. Made
    /// from the journal at each call, O(number of mutations since).
    ///
    /// Before the first reset, entities that were inserted and deleted again may be left out:
    /// nothing has saved them.
    @inlinable public var changes: ChangeSet<Entity.ID> {
        var changes = ChangeSet<Entity.ID>(of: Entity.ID.self)
        for delta in recordedDeltas {
            if delta.afterBox != nil { changes.upsert(delta.id) } else { changes.delete(delta.id) }
        }
        return changes
    }

    /// Empties ``changes``. Mutations recorded so far will not be written. The revision stays, so
    /// every cursor remains valid. O(1).
    @inlinable public mutating func resetChanges() { journal.reset(to: revision) }

    /// Returns the changes since `older`, an earlier copy of this store, in the order in which the
    /// entities were first touched: for an index that follows the store. O(mutations since), or
    /// O(n) if `older` is not in this store's past, as when the store was assigned whole.
    ///
    /// If only the place of an entity has changed, its change begins and ends with the same value.
    @inlinable public func changes(since older: EntityStore) -> EntityChanges<Entity> {
        var changes = EntityChanges<Entity>()
        for delta in deltas(since: older.revision) ?? differences(from: older) {
            guard delta.beforeBox != nil || delta.afterBox != nil else { continue }
            changes.add(
                EntityChange(before: delta.beforeBox, after: delta.afterBox), to: delta.id)
        }
        return changes
    }

    /// Returns the change of each entity that was touched since `revision`, in the order in which
    /// they were first touched.
    ///
    /// Nil if the revision is not in this store's past, because the store was assigned whole, went
    /// back to an older copy or took over a loaded one. Also nil if the revision is thousands of
    /// mutations older than the last ``resetChanges()``. The caller must then start from the whole
    /// content. O(number of mutations since). An entity that was inserted and deleted again is
    /// listed without values. Before the first reset, it may be missing.
    @inlinable package func deltas(since revision: Revision) -> [EntityDelta<Entity>]? {
        if revision == self.revision { return [] }
        return revision.precedes(journal.gap) ? nil : journal.deltas(since: revision, to: table)
    }

    /// Returns the edits since `revision`, without hydration: nil if the revision is not in this
    /// store's past, or is too old for ``deltas(since:)``. O(number of mutations since).
    @inlinable func edits(since revision: Revision) -> [EntityDelta<Entity>]? {
        journal.deltas(since: revision, to: table)?.filter(\.isRecorded)
    }

    /// The change of each entity that was edited since ``resetChanges()``, with its values.
    @inlinable var recordedDeltas: [EntityDelta<Entity>] { edits(since: journal.baseline) ?? [] }

    /// Returns the differences of this store from `older`, which need not be in its past: deletions
    /// of the entities that only `older` has, then upserts in order. O(n).
    @inlinable package func differences(from older: EntityStore) -> [EntityDelta<Entity>] {
        if older.revision == revision { return [] }
        var deltas: [EntityDelta<Entity>] = []
        for old in older.order where table[old.value.id] == nil {
            deltas.append(
                EntityDelta(id: old.value.id, before: old, after: nil, isRecorded: true))
        }
        for new in order {
            let old = older.table[new.value.id]
            guard old !== new, old?.value != new.value else { continue }
            deltas.append(
                EntityDelta(id: new.value.id, before: old, after: new, isRecorded: true))
        }
        return deltas
    }
}

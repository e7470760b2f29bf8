import OrderedCollections

/// The ``StoreBuffer`` of the store at a key path.
final class EntityBuffer<State, Changes: Sendable, Entity: Identifiable & Equatable & Sendable>:
    StoreBuffer
where Entity.ID: Hashable & Sendable {
    let keyPath: WritableKeyPath<State, EntityStore<Entity>>
    let path: WritableKeyPath<Changes, EntityChanges<Entity>>
    let merge: StorageMerge<Entity>
    /// The store at the last drain. It is the cursor for the next one, and the base of comparison
    /// if the store was assigned as a whole.
    private(set) var drained: EntityStore<Entity>?
    /// The changes that storage refused, each with the value in storage.
    var refused: OrderedDictionary<Entity.ID, (reason: String, base: SharedEntity<Entity>?)> = [:]
    /// The entities that the last drain found changed.
    private var latest: [(id: Entity.ID, wasPending: Bool)] = []

    init(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        _ path: WritableKeyPath<Changes, EntityChanges<Entity>>, _ merge: StorageMerge<Entity>
    ) {
        self.keyPath = keyPath
        self.path = path
        self.merge = merge
    }

    var refusals: [Refusal] {
        // Read after every action, so the usual case must be fast.
        if refused.isEmpty { return [] }
        return refused.map { Refusal(id: $0, in: keyPath, reason: $1.reason) }
    }

    /// Edits the part of `changes` that belongs to this store in place, without a copy even if the
    /// part is computed, as in ``NamedChanges``.
    func edit<Result>(
        _ changes: inout Changes, _ body: (inout EntityChanges<Entity>) -> Result
    ) -> Result {
        var part = EntityChanges<Entity>()
        swap(&changes[keyPath: path], &part)
        defer { changes[keyPath: path] = part }
        return body(&part)
    }

    // MARK: The state

    func begin(with state: inout State) {
        state[keyPath: keyPath].resetChanges()
        drained = state[keyPath: keyPath]
    }

    func isHydrated(_ state: State) -> Bool { state[keyPath: keyPath].isHydrated }

    func drain(
        _ state: inout State, to pending: inout Changes, inFlight: Changes
    ) -> (changes: Int, coalesced: Int) {
        latest.removeAll(keepingCapacity: true)
        let store = state[keyPath: keyPath]
        guard store.revision != drained?.revision else { return (0, 0) }
        var (coalesced, overridden) = (0, EntityChanges<Entity>())
        edit(&pending) { pending in
            // While a list is loading, there are mostly no changes to compare its pages with.
            let isIdle =
                pending.isEmpty && refused.isEmpty && inFlight[keyPath: path].isEmpty
            for delta in deltas(in: store, pending, inFlight[keyPath: path]) {
                if delta.isRecorded {
                    let wasPending = add(delta, to: &pending)
                    if wasPending { coalesced += 1 }
                    latest.append((delta.id, wasPending))
                } else if !isIdle, let wanted = waiting(delta.id, pending, inFlight[keyPath: path]),
                    wanted.after != delta.after
                {
                    overridden[delta.id] = wanted
                }
            }
        }
        if !overridden.isEmpty { state[keyPath: keyPath].adopt(overridden) }
        state[keyPath: keyPath].resetChanges()
        drained = state[keyPath: keyPath]
        return (latest.count, coalesced)
    }

    /// Adds a change of an entity. Returns true if the entity was already pending.
    private func add(_ delta: EntityDelta<Entity>, to pending: inout EntityChanges<Entity>) -> Bool
    {
        let wasPending = pending[delta.id] != nil
        pending.add(
            EntityChange(before: delta.recordedBox, after: delta.afterBox), to: delta.id)
        if !refused.isEmpty, let refusal = refused.removeValue(forKey: delta.id) {
            pending.byID[delta.id]?.beforeBox = refusal.base
        }
        return wasPending
    }

    /// Returns the change of the entity `id` that storage does not have yet, or nil if there is
    /// none.
    private func waiting(
        _ id: Entity.ID, _ pending: EntityChanges<Entity>, _ inFlight: EntityChanges<Entity>
    ) -> EntityChange<Entity>? {
        if let change = pending[id] ?? inFlight[id] { return change }
        return refused[id].map { EntityChange(before: $0.base?.value, after: drained?[id]) }
    }

    private func deltas(
        in store: EntityStore<Entity>, _ pending: EntityChanges<Entity>,
        _ inFlight: EntityChanges<Entity>
    ) -> [EntityDelta<Entity>] {
        // Before the first drain and without `begin`, the changes are those that the store itself
        // has recorded.
        guard let drained else { return store.recordedDeltas }
        if let deltas = store.deltas(since: drained.revision) { return deltas }
        guard let edits = store.edits(since: drained.revision) else {
            return store.differences(from: drained)
        }
        // The store took over a loaded one, which may contain entities with waiting changes.
        let waiting = Array(pending.ids) + Array(inFlight.ids) + Array(refused.keys)
        return edits
            + waiting.map {
                EntityDelta(id: $0, before: nil, after: store.table[$0], isRecorded: false)
            }
    }

    // MARK: The log

    func count(of changes: Changes) -> Int { changes[keyPath: path].count }

    func addLastDrained(of pending: Changes, to changes: inout Changes) {
        let pending = pending[keyPath: path]
        edit(&changes) { changes in
            for drained in latest {
                guard let change = pending[drained.id] else { continue }
                changes[drained.id] =
                    drained.wasPending
                    ? EntityChange(before: nil, after: change.afterBox) : change
            }
        }
    }

    func add(_ later: Changes, to changes: inout Changes) {
        edit(&changes) { $0.add(later[keyPath: path]) }
    }

    func addRefused(to changes: inout Changes) {
        guard !refused.isEmpty else { return }
        edit(&changes) { changes in
            for (id, refusal) in refused {
                guard let entity = drained?[id] else { continue }
                changes[id] = EntityChange(before: refusal.base, after: SharedEntity(entity))
            }
        }
    }

    func addKnown(to known: inout Changes, pending: Changes, inFlight: Changes) {
        guard let drained else { return }
        let changes = inFlight[keyPath: path].followed(by: pending[keyPath: path])
        edit(&known) { known in
            for entity in drained where changes[entity.id] == nil && refused[entity.id] == nil {
                known.upsert(entity)
            }
            known.upsert(changes.elements.lazy.compactMap { $0.change.beforeBox?.value })
            known.upsert(refused.values.lazy.compactMap { $0.base?.value })
        }
    }

    // MARK: Storage

    func commitSucceeded(
        _ inFlight: Changes, _ result: CommitResult<Changes>, pending: inout Changes
    ) -> Int {
        let inFlight = inFlight[keyPath: path]
        let stored = result.stored?[keyPath: path] ?? EntityChanges()
        return edit(&pending) { pending in
            for (id, _) in stored.elements {
                // Storage did not delete the entity, so later changes start from the deletion's
                // base.
                guard let change = inFlight[id], change.afterBox == nil else { continue }
                pending.byID[id]?.beforeBox = change.beforeBox
            }
            var rows = inFlight.count
            for refusal in result.refused {
                guard matches(refusal.store), let id = refusal.id.value(as: Entity.ID.self),
                    let change = inFlight[id]
                else { continue }
                rows -= 1
                // If there is a newer change of the row, storage decides on that one.
                if pending[id] == nil, stored[id] == nil {
                    refused[id] = (refusal.reason, change.beforeBox)
                } else {
                    pending.byID[id]?.beforeBox = change.beforeBox
                }
            }
            return rows
        }
    }

    /// Returns true if `store` is nil or the key path of this store, in the state or in the
    /// changes.
    func matches(_ store: AnyKeyPath?) -> Bool {
        store == nil || store == keyPath || store == path
    }

    func saveState(
        of id: AnyID, in store: AnyKeyPath?, pending: Changes, inFlight: Changes
    ) -> EntitySaveState {
        guard matches(store), let id = id.value(as: Entity.ID.self) else { return .committed }
        if pending[keyPath: path][id] != nil { return .pending }
        if inFlight[keyPath: path][id] != nil { return .inFlight }
        return refused[id].map { .refused($0.reason) } ?? .committed
    }
}

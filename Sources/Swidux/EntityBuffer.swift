import OrderedCollections

/// The changes of one entity store on their way: drained from the state, pending, in flight, committed.
@MainActor
@usableFromInline final class EntityBuffer<State, Entity: Identifiable & Equatable & Sendable>
where Entity.ID: Hashable & Sendable {
    @usableFromInline enum Operation {
        case upsert(Entity)
        case delete
    }

    @usableFromInline let keyPath: WritableKeyPath<State, EntityStore<Entity>>
    /// The store at the last drain: the cursor, and what a store assigned whole is compared with.
    @usableFromInline var drained: EntityStore<Entity>?
    @usableFromInline var pending: OrderedDictionary<Entity.ID, Operation> = [:]
    @usableFromInline var inFlight: OrderedDictionary<Entity.ID, Operation> = [:]
    @usableFromInline var refused: OrderedDictionary<Entity.ID, String> = [:]

    @inlinable init(keyPath: WritableKeyPath<State, EntityStore<Entity>>) { self.keyPath = keyPath }

    @inlinable var pendingCount: Int { pending.count }
    @inlinable var inFlightCount: Int { inFlight.count }
    @inlinable var refusals: [PersistenceStatus.Refusal] {
        if refused.isEmpty { return [] }
        return refused.map { PersistenceStatus.Refusal(id: AnyID($0), reason: $1) }
    }

    /// What is in flight, for storage.
    @inlinable var flight: EntityChanges<Entity> {
        var changes = EntityChanges<Entity>()
        for (id, operation) in inFlight {
            switch operation {
            case .upsert(let entity): changes.upserts.append(entity)
            case .delete: changes.deletions.append(id)
            }
        }
        return changes
    }

    @inlinable func begin(with state: inout State) {
        state[keyPath: keyPath].resetChanges()
        drained = state[keyPath: keyPath]
    }

    @inlinable func drain(_ state: inout State) -> (changes: Int, coalesced: Int) {
        let store = state[keyPath: keyPath]
        guard store.revision != drained?.revision else { return (0, 0) }
        var tally = (changes: 0, coalesced: 0)
        for delta in deltas(in: store) where delta.isRecorded {
            tally.changes += 1
            let operation = delta.after.map(Operation.upsert) ?? .delete
            if pending.updateValue(operation, forKey: delta.id) != nil { tally.coalesced += 1 }
            if !refused.isEmpty { refused[delta.id] = nil }
        }
        state[keyPath: keyPath].resetChanges()
        drained = store
        return tally
    }

    @inlinable func deltas(in store: EntityStore<Entity>) -> [EntityDelta<Entity>] {
        if let drained {
            return store.deltas(since: drained.revision) ?? store.differences(from: drained)
        }
        // Never drained and never begun: what the store itself has recorded.
        return store.recordedDeltas
    }

    @inlinable func takeOff() {
        inFlight = pending
        pending = [:]
    }

    @inlinable func land(_ refusals: [CommitResult.Refusal]) -> Int {
        var rows = inFlight.count
        for refusal in refusals {
            guard let id = refusal.id as? Entity.ID, inFlight[id] != nil else { continue }
            rows -= 1
            // A newer change of the row gets its own chance.
            if pending[id] == nil { refused[id] = refusal.reason }
        }
        inFlight = [:]
        return rows
    }

    @inlinable func turnBack() {
        var merged = inFlight
        merged.merge(pending) { _, newer in newer }
        pending = merged
        inFlight = [:]
    }

    @inlinable func saveState(of id: AnyID) -> EntitySaveState {
        guard let id = id.value(as: Entity.ID.self) else { return .committed }
        if pending[id] != nil { return .pending }
        if inFlight[id] != nil { return .inFlight }
        return refused[id].map(EntitySaveState.refused) ?? .committed
    }
}

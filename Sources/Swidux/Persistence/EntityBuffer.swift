import OrderedCollections

/// What waits for one entity.
@usableFromInline struct EntityOperation<Entity: Sendable>: Sendable {
    /// What storage has, as far as is known here; nil if it has nothing.
    @usableFromInline var base: EntityBox<Entity>?
    /// What it is to have; nil is a deletion.
    @usableFromInline var value: EntityBox<Entity>?
    /// The entity that a deletion takes back before storage is known to have it. The deletion is
    /// not for another process's entity of that id.
    @usableFromInline var inserted: EntityBox<Entity>?

    @inlinable init(
        base: EntityBox<Entity>?, value: EntityBox<Entity>?, inserted: EntityBox<Entity>? = nil
    ) {
        self.base = base
        self.value = value
        self.inserted = inserted
    }
}

extension EntityChanges where Entity.ID: Hashable {
    /// What `operations` say, for storage.
    @inlinable init(_ operations: OrderedDictionary<Entity.ID, EntityOperation<Entity>>) {
        for (id, operation) in operations { add(operation, to: id, withBase: true) }
    }

    @inlinable mutating func add(
        _ operation: EntityOperation<Entity>, to id: Entity.ID, withBase: Bool
    ) {
        if let value = operation.value {
            upserts.append(value.entity)
        } else {
            deletions.append(id)
        }
        if withBase, let base = operation.base ?? operation.inserted { bases[id] = base.entity }
    }
}

/// The changes of one entity store on their way: drained from the state, pending, in flight,
/// committed.
@MainActor
@usableFromInline final class EntityBuffer<State, Entity: Identifiable & Equatable & Sendable>
where Entity.ID: Hashable & Sendable {
    @usableFromInline typealias Operation = EntityOperation<Entity>

    /// A change that storage did not take.
    @usableFromInline struct Refused {
        @usableFromInline let reason: String
        /// What storage has instead.
        @usableFromInline var base: EntityBox<Entity>?

        @inlinable init(reason: String, base: EntityBox<Entity>?) {
            self.reason = reason
            self.base = base
        }
    }

    @usableFromInline let keyPath: WritableKeyPath<State, EntityStore<Entity>>
    @usableFromInline let merge: StorageMerge<Entity>
    /// The store at the last drain: the cursor, and what a store assigned whole is compared with.
    @usableFromInline var drained: EntityStore<Entity>?
    @usableFromInline var pending: OrderedDictionary<Entity.ID, Operation> = [:]
    @usableFromInline var inFlight: OrderedDictionary<Entity.ID, Operation> = [:]
    @usableFromInline var refused: OrderedDictionary<Entity.ID, Refused> = [:]
    /// The ids of the last drain, and whether each was pending before: what a log is told.
    @usableFromInline var latest: [(id: Entity.ID, wasPending: Bool)] = []

    @inlinable init(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>, merge: StorageMerge<Entity> = .mine
    ) {
        self.keyPath = keyPath
        self.merge = merge
    }

    @inlinable var pendingCount: Int { pending.count }
    @inlinable var inFlightCount: Int { inFlight.count }
    @inlinable var refusals: [Refusal] {
        if refused.isEmpty { return [] }
        return refused.map { Refusal(id: AnyID($0), reason: $1.reason) }
    }

    // MARK: What storage and the log are given

    /// What is in flight, for storage.
    @inlinable var flight: EntityChanges<Entity> { EntityChanges(inFlight) }

    /// What waits, for a log that is made anew or kept at the end.
    @inlinable var waiting: EntityChanges<Entity> {
        var waiting = EntityChanges(inFlight.isEmpty ? pending : allOperations)
        for (id, refusal) in refused {
            guard let entity = drained?[id] else { continue }
            waiting.upserts.append(entity)
            if let base = refusal.base { waiting.bases[id] = base.entity }
        }
        return waiting
    }

    /// What the last drain took, for the log. A base is said once for an id.
    @inlinable var fresh: EntityChanges<Entity> {
        var changes = EntityChanges<Entity>()
        for (id, wasPending) in latest {
            guard let operation = pending[id] else { continue }
            changes.add(operation, to: id, withBase: !wasPending)
        }
        return changes
    }

    // MARK: The way of a change

    @inlinable func begin(with state: inout State) {
        state[keyPath: keyPath].resetChanges()
        drained = state[keyPath: keyPath]
    }

    @inlinable func drain(_ state: inout State) -> (changes: Int, coalesced: Int) {
        latest.removeAll(keepingCapacity: true)
        let store = state[keyPath: keyPath]
        guard store.revision != drained?.revision else { return (0, 0) }
        var coalesced = 0
        for delta in deltas(in: store) where delta.isRecorded {
            let waiting = pending[delta.id]
            var base = waiting.map(\.base) ?? delta.recordedBox
            if !refused.isEmpty, let refusal = refused.removeValue(forKey: delta.id) {
                base = refusal.base
            }
            let takesBack = base == nil && delta.afterBox == nil
            pending[delta.id] = Operation(
                base: base, value: delta.afterBox,
                inserted: takesBack ? waiting?.value ?? waiting?.inserted : nil)
            if waiting != nil { coalesced += 1 }
            latest.append((delta.id, waiting != nil))
        }
        state[keyPath: keyPath].resetChanges()
        drained = store
        return (latest.count, coalesced)
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

    /// The flight was committed, less `refusals`; storage has `stored` otherwise than it was asked
    /// to. A refused row that is among those is not set aside. Returns the number of rows.
    @inlinable func land(
        _ refusals: [Refusal], _ stored: EntityChanges<Entity>?
    ) -> Int {
        var rows = inFlight.count
        for entity in stored?.upserts ?? [] {
            // The deletion was not done: what came after it begins with what it began with.
            guard let operation = inFlight[entity.id], operation.value == nil else { continue }
            pending[entity.id]?.base = operation.base
        }
        let taken = Set(refusals.isEmpty ? [] : (stored?.upserts ?? []).map(\.id))
        for refusal in refusals {
            guard let id = refusal.id.value(as: Entity.ID.self), let operation = inFlight[id]
            else { continue }
            rows -= 1
            // A newer change of the row gets its own chance.
            if pending[id] == nil, !taken.contains(id) {
                refused[id] = Refused(reason: refusal.reason, base: operation.base)
            } else {
                pending[id]?.base = operation.base
            }
        }
        let landed = inFlight
        inFlight = [:]
        // A million values go as slowly as they came.
        Task.detached(priority: .utility) { withExtendedLifetime(landed) {} }
        return rows
    }

    @inlinable func turnBack() {
        pending = allOperations
        inFlight = [:]
    }

    /// What is in flight beneath what came after it.
    @inlinable var allOperations: OrderedDictionary<Entity.ID, Operation> {
        var all = inFlight
        all.merge(pending) { older, newer in
            let takesBack = older.base == nil && newer.value == nil
            return Operation(
                base: older.base, value: newer.value,
                inserted: takesBack ? older.value ?? older.inserted : nil)
        }
        return all
    }

    @inlinable func saveState(of id: AnyID) -> EntitySaveState {
        guard let id = id.value(as: Entity.ID.self) else { return .committed }
        if pending[id] != nil { return .pending }
        if inFlight[id] != nil { return .inFlight }
        return refused[id].map { .refused($0.reason) } ?? .committed
    }
}

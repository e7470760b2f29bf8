import OrderedCollections

/// The changes of one entity store on their way: drained from the state, pending, in flight,
/// committed.
@MainActor
@usableFromInline final class EntityBuffer<State, Entity: Identifiable & Equatable & Sendable>
where Entity.ID: Hashable & Sendable {
    @usableFromInline typealias Change = EntityChange<Entity>

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
    @usableFromInline var pending = EntityChanges<Entity>()
    @usableFromInline var inFlight = EntityChanges<Entity>()
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

    /// What waits, for a log that is made anew or kept at the end.
    @inlinable var waiting: EntityChanges<Entity> {
        var waiting = inFlight.followed(by: pending)
        for (id, refusal) in refused {
            guard let entity = drained?[id] else { continue }
            waiting[id] = Change(before: refusal.base, after: EntityBox(entity))
        }
        return waiting
    }

    /// What the last drain took, for the log. A base is said once for an id.
    @inlinable var fresh: EntityChanges<Entity> {
        var changes = EntityChanges<Entity>()
        for (id, wasPending) in latest {
            guard let change = pending[id] else { continue }
            changes[id] = wasPending ? Change(before: nil, after: change.afterBox) : change
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
            let wasPending = pending[delta.id] != nil
            pending.add(Change(before: delta.recordedBox, after: delta.afterBox), to: delta.id)
            if !refused.isEmpty, let refusal = refused.removeValue(forKey: delta.id) {
                pending.byID[delta.id]?.beforeBox = refusal.base
            }
            if wasPending { coalesced += 1 }
            latest.append((delta.id, wasPending))
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
        pending = EntityChanges()
    }

    /// The flight was committed, less `refusals`; storage has `stored` otherwise than it was asked
    /// to. A refused row that is among those is not set aside. Returns the number of rows.
    @inlinable func land(
        _ refusals: [Refusal], _ stored: EntityChanges<Entity>?
    ) -> Int {
        var rows = inFlight.count
        for (id, _) in stored ?? EntityChanges() {
            // The deletion was not done: what came after it begins with what it began with.
            guard let change = inFlight[id], change.afterBox == nil else { continue }
            pending.byID[id]?.beforeBox = change.beforeBox
        }
        for refusal in refusals {
            guard let id = refusal.id.value(as: Entity.ID.self), let change = inFlight[id]
            else { continue }
            rows -= 1
            // A newer change of the row gets its own chance.
            if pending[id] == nil, stored?[id] == nil {
                refused[id] = Refused(reason: refusal.reason, base: change.beforeBox)
            } else {
                pending.byID[id]?.beforeBox = change.beforeBox
            }
        }
        let landed = inFlight
        inFlight = EntityChanges()
        // A million values go as slowly as they came.
        Task.detached(priority: .utility) { withExtendedLifetime(landed) {} }
        return rows
    }

    @inlinable func turnBack() {
        pending = inFlight.followed(by: pending)
        inFlight = EntityChanges()
    }

    @inlinable func saveState(of id: AnyID) -> EntitySaveState {
        guard let id = id.value(as: Entity.ID.self) else { return .committed }
        if pending[id] != nil { return .pending }
        if inFlight[id] != nil { return .inFlight }
        return refused[id].map { .refused($0.reason) } ?? .committed
    }
}

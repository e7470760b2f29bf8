import OrderedCollections

/// The way of one entity store's changes: drained from the state, pending, in flight, committed.
@MainActor
protocol ChangeBuffer<State>: AnyObject {
    associatedtype State

    var pendingCount: Int { get }
    var inFlightCount: Int { get }
    var refusals: [PersistenceStatus.Refusal] { get }

    /// Takes the store as it is for committed.
    func begin(with state: inout State)
    /// Takes what has changed since the last drain, and returns how many entities, and how many were pending already.
    func drain(_ state: inout State) -> (changes: Int, coalesced: Int)
    /// Hands everything pending over to the flight.
    func takeOff()
    /// The flight was committed, less what storage refused. Returns the number of rows.
    func land(_ refused: [CommitResult.Refusal]) -> Int
    /// The flight failed: it is pending again, beneath what came meanwhile.
    func turnBack()
    func saveState(of id: AnyID) -> EntitySaveState
}

@MainActor
final class EntityBuffer<State, Entity: Identifiable & Equatable & Sendable>: ChangeBuffer
where Entity.ID: Hashable & Sendable {
    private enum Operation {
        case upsert(Entity)
        case delete
    }

    private let keyPath: WritableKeyPath<State, EntityStore<Entity>>
    /// The store at the last drain: the cursor, and what a store assigned whole is compared with.
    private var drained: EntityStore<Entity>?
    private var pending: OrderedDictionary<Entity.ID, Operation> = [:]
    private var inFlight: OrderedDictionary<Entity.ID, Operation> = [:]
    private var refused: OrderedDictionary<Entity.ID, String> = [:]

    init(keyPath: WritableKeyPath<State, EntityStore<Entity>>) { self.keyPath = keyPath }

    var pendingCount: Int { pending.count }
    var inFlightCount: Int { inFlight.count }
    var refusals: [PersistenceStatus.Refusal] {
        refused.map { PersistenceStatus.Refusal(id: AnyID($0), reason: $1) }
    }

    /// What is in flight, for storage.
    var flight: EntityChanges<Entity> {
        var changes = EntityChanges<Entity>()
        for (id, operation) in inFlight {
            switch operation {
            case .upsert(let entity): changes.upserts.append(entity)
            case .delete: changes.deletions.append(id)
            }
        }
        return changes
    }

    func begin(with state: inout State) {
        state[keyPath: keyPath].resetChanges()
        drained = state[keyPath: keyPath]
    }

    func drain(_ state: inout State) -> (changes: Int, coalesced: Int) {
        let store = state[keyPath: keyPath]
        guard store.revision != drained?.revision else { return (0, 0) }
        var tally = (changes: 0, coalesced: 0)
        for delta in deltas(in: store) where delta.isRecorded {
            tally.changes += 1
            let operation = delta.after.map(Operation.upsert) ?? .delete
            if pending.updateValue(operation, forKey: delta.id) != nil { tally.coalesced += 1 }
            refused[delta.id] = nil
        }
        state[keyPath: keyPath].resetChanges()
        drained = state[keyPath: keyPath]
        return tally
    }

    private func deltas(in store: EntityStore<Entity>) -> [EntityDelta<Entity>] {
        if let drained {
            return store.deltas(since: drained.revision) ?? store.differences(from: drained)
        }
        // Never drained and never begun: what the store itself has recorded.
        return store.recordedDeltas
    }

    func takeOff() {
        inFlight = pending
        pending = [:]
    }

    func land(_ refusals: [CommitResult.Refusal]) -> Int {
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

    func turnBack() {
        var merged = inFlight
        merged.merge(pending) { _, newer in newer }
        pending = merged
        inFlight = [:]
    }

    func saveState(of id: AnyID) -> EntitySaveState {
        guard let id = id.value(as: Entity.ID.self) else { return .committed }
        if pending[id] != nil { return .pending }
        if inFlight[id] != nil { return .inFlight }
        return refused[id].map(EntitySaveState.refused) ?? .committed
    }
}

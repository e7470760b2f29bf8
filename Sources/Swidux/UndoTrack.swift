import OrderedCollections

/// One entity store whose changes an ``UndoHistory`` keeps.
@MainActor
public struct UndoTrack<State> {
    let changes: any UndoChanges<State>

    /// The track of the store at `keyPath`.
    ///
    /// `size` estimates the bytes that one entity holds, its heap storage included: its inline size and a hundred for
    /// bookkeeping by default, which is too little for entities with long texts.
    public init<Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        size: @escaping @MainActor (Entity) -> Int = { _ in MemoryLayout<Entity>.stride + 100 }
    ) {
        changes = EntityUndoChanges(keyPath: keyPath, size: size)
    }
}

/// The steps' changes to one store, whatever its entities are.
@MainActor
protocol UndoChanges<State>: AnyObject {
    associatedtype State

    /// Remembers where the store stands before a command.
    func begin(_ state: State)
    /// Keeps what changed since, under the number of a step, and returns the ids.
    func end(_ state: State, step: Int) -> [AnyID]
    /// Makes one of two steps that changed the same entity one after the other.
    func join(_ newer: Int, into older: Int)
    /// Puts back the entities that the step has a value for.
    func restore(_ step: Int, _ direction: UndoReport.Direction, _ state: inout State)
        -> UndoOutcome
    /// Removes the entities that the step has no value for.
    func remove(_ step: Int, _ direction: UndoReport.Direction, _ state: inout State) -> UndoOutcome
    func size(of step: Int) -> Int
    func forget(_ step: Int)
}

@MainActor
final class EntityUndoChanges<State, Entity: Identifiable & Equatable & Sendable>: UndoChanges
where Entity.ID: Hashable & Sendable {
    private struct Change {
        var before: Entity?
        var after: Entity?
    }

    private let keyPath: WritableKeyPath<State, EntityStore<Entity>>
    private let size: (Entity) -> Int
    private var start: EntityStore<Entity>?
    private var steps: [Int: OrderedDictionary<Entity.ID, Change>] = [:]

    init(keyPath: WritableKeyPath<State, EntityStore<Entity>>, size: @escaping (Entity) -> Int) {
        self.keyPath = keyPath
        self.size = size
    }

    func begin(_ state: State) { start = state[keyPath: keyPath] }

    func end(_ state: State, step: Int) -> [AnyID] {
        guard let start else { return [] }
        self.start = nil
        let store = state[keyPath: keyPath]
        guard store.revision != start.revision else { return [] }
        var changes: OrderedDictionary<Entity.ID, Change> = [:]
        for delta in store.deltas(since: start.revision) ?? store.differences(from: start)
        where delta.isRecorded && delta.beforeRecorded != delta.after {
            changes[delta.id] = Change(before: delta.beforeRecorded, after: delta.after)
        }
        guard !changes.isEmpty else { return [] }
        steps[step] = changes
        return changes.keys.map { AnyID($0) }
    }

    func join(_ newer: Int, into older: Int) {
        guard let changes = steps.removeValue(forKey: newer) else { return }
        var joined = steps[older] ?? [:]
        for (id, change) in changes {
            let before = joined[id].map(\.before) ?? change.before
            joined[id] = before == change.after ? nil : Change(before: before, after: change.after)
        }
        steps[older] = joined.isEmpty ? nil : joined
    }

    func restore(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State
    ) -> UndoOutcome {
        apply(step, direction, &state) { $0 != nil }
    }

    func remove(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State
    ) -> UndoOutcome {
        apply(step, direction, &state) { $0 == nil }
    }

    private func apply(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State,
        where isMeant: (Entity?) -> Bool
    ) -> UndoOutcome {
        var outcome = UndoOutcome()
        for (id, change) in steps[step] ?? [:] {
            let expected = direction == .undo ? change.after : change.before
            let wanted = direction == .undo ? change.before : change.after
            guard isMeant(wanted) else { continue }
            if state[keyPath: keyPath][id] == expected {
                state[keyPath: keyPath][id] = wanted
                outcome.touched.append(AnyID(id))
            } else {
                outcome.skipped.append(AnyID(id))
            }
        }
        return outcome
    }

    func size(of step: Int) -> Int {
        (steps[step] ?? [:]).values.reduce(0) { sum, change in
            sum + (change.before.map(size) ?? 0) + (change.after.map(size) ?? 0)
        }
    }

    func forget(_ step: Int) { steps[step] = nil }
}

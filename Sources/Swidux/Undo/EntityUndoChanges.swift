import OrderedCollections

/// The ``UndoChanges`` of the store at a key path.
final class EntityUndoChanges<State, Entity: Identifiable & Equatable & Sendable>: UndoChanges
where Entity.ID: Hashable & Sendable {
    /// The values of one entity before and after a step, shared with the store and its journal.
    struct Change {
        var before: SharedEntity<Entity>?
        var after: SharedEntity<Entity>?
    }

    private let keyPath: WritableKeyPath<State, EntityStore<Entity>>
    let size: (Entity) -> Int
    let ties: (Entity?, Entity?) -> UndoTies
    let isBlocked: (State, Entity?, Entity?) -> Bool
    let merge: StorageMerge<Entity>?
    var start: EntityStore<Entity>?
    var steps: [Int: OrderedDictionary<Entity.ID, Change>] = [:]

    init(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        size: @escaping (Entity) -> Int,
        ties: @escaping (Entity?, Entity?) -> UndoTies,
        isBlocked: @escaping (State, Entity?, Entity?) -> Bool,
        merge: StorageMerge<Entity>?
    ) {
        self.keyPath = keyPath
        self.size = size
        self.ties = ties
        self.isBlocked = isBlocked
        self.merge = merge
    }

    func begin(_ state: State) { start = state[keyPath: keyPath] }

    func end(_ state: State, step: Int) -> [AnyID] {
        guard let start else { return [] }
        self.start = nil
        let store = state[keyPath: keyPath]
        guard store.revision != start.revision else { return [] }
        var changes: OrderedDictionary<Entity.ID, Change> = [:]
        for delta in store.edits(since: start.revision) ?? store.differences(from: start)
        where delta.beforeRecorded != delta.after {
            changes[delta.id] = Change(before: delta.recordedBox, after: delta.afterBox)
        }
        guard !changes.isEmpty else { return [] }
        steps[step] = changes
        return changes.keys.map { AnyID($0) }
    }

    func join(_ newer: Int, into older: Int) {
        guard let changes = steps.removeValue(forKey: newer) else { return }
        var joined = steps.removeValue(forKey: older) ?? [:]
        for (id, change) in changes {
            let before = joined[id].map(\.before) ?? change.before
            joined[id] =
                before?.value == change.after?.value
                ? nil : Change(before: before, after: change.after)
        }
        if !joined.isEmpty { steps[older] = joined }
    }

    func addKeys(of step: Int, to keys: inout UndoKeys) {
        for change in (steps[step] ?? [:]).values {
            keys.add(ties(change.before?.value, change.after?.value))
        }
    }

    func check(_ state: State, _ progress: inout UndoProgress) {
        guard let changes = steps[progress.step.number] else { return }
        while progress.room > 0, progress.place < changes.count {
            let (id, change) = changes.elements[progress.place]
            progress.place += 1
            progress.room -= 1
            progress.groups?.add(
                ties(change.before?.value, change.after?.value),
                isChanged: isChanged(id, change, progress.isRedo, state))
        }
    }

    /// Returns true if the entity has changed since the step, or if its change is blocked. False if
    /// the entity was to be inserted and another process's edit has already restored it.
    func isChanged(
        _ id: Entity.ID, _ change: Change, _ isRedo: Bool, _ state: State
    ) -> Bool {
        let (expected, wanted) = values(of: change, isRedo)
        if existsAgain(change, isRedo, state[keyPath: keyPath][id]) { return false }
        return state[keyPath: keyPath][id] != expected || isBlocked(state, expected, wanted)
    }

    /// Returns true if undo or redo would insert an entity that exists again. It stays as it is.
    func existsAgain(_ change: Change, _ isRedo: Bool, _ current: Entity?) -> Bool {
        let (expected, wanted) = values(of: change, isRedo)
        return expected == nil && wanted != nil && current != nil
    }

    /// Returns the value that an entity must have before undo or redo, and the value that it
    /// receives.
    func values(of change: Change, _ isRedo: Bool) -> (expected: Entity?, wanted: Entity?) {
        let (before, after) = (change.before?.value, change.after?.value)
        return isRedo ? (before, after) : (after, before)
    }

    /// Adds the changes of an applied step to `groups`. A change is refused if an arrival since
    /// ``begin(_:)`` has put the entity back, or has added something that would have blocked the
    /// change.
    func checkArrival(_ step: UnsettledStep, _ state: State, _ groups: UndoGroups) {
        for (id, change) in steps[step.number] ?? [:] {
            let (expected, wanted) = values(of: change, step.isRedo)
            let current = state[keyPath: keyPath][id]
            let isRefused =
                current == wanted
                ? isBlocked(state, expected, wanted)
                : wanted == nil ? start?[id] == nil : isReverted(id, current, expected, wanted)
            groups.add(ties(change.before?.value, change.after?.value), isChanged: isRefused)
        }
    }

    /// Returns true if an arrival since ``begin(_:)`` has given a changed entity its former value
    /// again.
    func isReverted(
        _ id: Entity.ID, _ current: Entity?, _ expected: Entity?, _ wanted: Entity?
    ) -> Bool {
        expected != nil && current == expected && start?[id] == wanted
    }

    /// Reverts the refused changes of an applied step, unless their entities have changed since.
    /// `first` is the number of the step's first change in `groups`.
    func revert(
        _ step: UnsettledStep, _ state: inout State, _ groups: UndoGroups, first: Int
    ) -> (outcome: UndoOutcome, hasReverted: Bool) {
        var outcome = UndoOutcome(store: keyPath)
        var hasReverted = false
        for (place, (id, change)) in (steps[step.number] ?? [:]).enumerated() {
            let (expected, wanted) = values(of: change, step.isRedo)
            let current = state[keyPath: keyPath][id]
            guard groups.refuses(first + place) else {
                if current == wanted { outcome.touched.append(AnyID(id)) }
                continue
            }
            outcome.skipped.append(AnyID(id))
            if current == wanted || isReverted(id, current, expected, wanted) {
                if isBlocked(state, expected, wanted), let known = wanted ?? expected {
                    outcome.blocked.append(known)
                }
                state[keyPath: keyPath][id] = expected
                hasReverted = true
            } else if let current, let wanted, let expected {
                guard let merge else { continue }
                // Storage may already have reverted the change of the entity.
                state[keyPath: keyPath][id] =
                    merge(base: wanted, mine: expected, theirs: current).value
                hasReverted = true
            } else if let known = expected ?? wanted {
                outcome.changed.append(known)
            }
        }
        return (outcome, hasReverted)
    }

    func apply(
        to state: inout State, _ progress: inout UndoProgress, restores: Bool
    ) -> UndoOutcome {
        let (step, isRedo) = (progress.step.number, progress.isRedo)
        var outcome = UndoOutcome(store: keyPath)
        // Removed from `steps` while it changes, so that it is not copied.
        guard var changes = steps.removeValue(forKey: step) else { return outcome }
        defer { steps[step] = changes }
        while progress.room > 0, progress.place < changes.count {
            let place = progress.place
            let (id, change) = changes.elements[place]
            progress.place += 1
            let expected = isRedo ? change.before : change.after
            let wanted = isRedo ? change.after : change.before
            guard restores == (wanted != nil) else { continue }
            progress.room -= 1
            let isChanged = isChanged(id, change, isRedo, state)
            if !isChanged, progress.groups?.refuses(progress.first + place) != true {
                if !existsAgain(change, isRedo, state[keyPath: keyPath][id]) {
                    state[keyPath: keyPath][id] = wanted?.value
                }
                let current = state[keyPath: keyPath].shared(id)
                if isRedo {
                    changes.values[place].after = current
                } else {
                    changes.values[place].before = current
                }
                outcome.touched.append(AnyID(id))
            } else {
                outcome.skipped.append(AnyID(id))
                guard isChanged, let known = (expected ?? wanted)?.value else { continue }
                let current = state[keyPath: keyPath][id]
                if current == wanted?.value {
                    outcome.reached.append(known)
                } else if current == expected?.value {
                    outcome.blocked.append(wanted?.value ?? known)
                } else {
                    outcome.changed.append(known)
                }
            }
        }
        return outcome
    }

    func count(of step: Int) -> Int { steps[step]?.count ?? 0 }

    func size(of step: Int) -> Int {
        (steps[step] ?? [:]).values.reduce(0) { sum, change in
            sum + (change.before.map { size($0.value) } ?? 0)
                + (change.after.map { size($0.value) } ?? 0)
        }
    }

    func forget(_ step: Int) { steps[step] = nil }
}

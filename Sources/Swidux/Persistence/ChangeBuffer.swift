/// The changes of a state on their way to storage: drained from its entity stores, then pending, in
/// flight and committed.
///
/// The waiting changes are two values of the application's own type. The ``StoreBuffer`` of each
/// store does everything that depends on the entities.
@MainActor
struct ChangeBuffer<State, Changes: Sendable> {
    let stores: [any StoreBuffer<State, Changes>]
    /// Returns a value without changes.
    let empty: () -> Changes
    /// Changes that were not yet handed to storage.
    private(set) var pending: Changes
    /// Changes that were handed to storage and are not yet confirmed.
    private(set) var inFlight: Changes

    init(_ writers: [BatchWriter<State, Changes>], empty: @escaping () -> Changes) {
        stores = writers.map(\.store)
        self.empty = empty
        pending = empty()
        inFlight = empty()
    }

    var pendingCount: Int { count(of: pending) }
    var inFlightCount: Int { count(of: inFlight) }
    /// The changes that storage refused.
    var refusals: [Refusal] {
        var refusals: [Refusal] = []
        for store in stores { refusals += store.refusals }
        return refusals
    }

    private func count(of changes: Changes) -> Int {
        var count = 0
        for store in stores { count += store.count(of: changes) }
        return count
    }

    // MARK: For the log and for storage

    /// The changes of the last drain. An entity's change has its `before` only if the entity was
    /// not pending already.
    var lastDrained: Changes {
        var drained = empty()
        for store in stores { store.addLastDrained(of: pending, to: &drained) }
        return drained
    }

    /// All changes that are not committed.
    var waiting: Changes {
        var waiting = inFlight
        for store in stores {
            store.add(pending, to: &waiting)
            store.addRefused(to: &waiting)
        }
        return waiting
    }

    /// The rows that storage is known to have, in the form of upserts. O(n).
    var known: Changes {
        var known = empty()
        for store in stores { store.addKnown(to: &known, pending: pending, inFlight: inFlight) }
        return known
    }

    // MARK: The way of a change

    /// Adds changes that were drained elsewhere.
    mutating func add(_ drained: Changes) {
        for store in stores { store.add(drained, to: &pending) }
    }

    /// Treats the present content of the stores in `state` as committed.
    func begin(with state: inout State) {
        for store in stores { store.begin(with: &state) }
    }

    /// Returns true if every store has been loaded completely.
    func isHydrated(_ state: State) -> Bool { stores.allSatisfy { $0.isHydrated(state) } }

    /// Takes the changes since the last drain. Returns the number of changed entities, and the
    /// number of those that were already pending. O(changes).
    mutating func drain(_ state: inout State) -> (changes: Int, coalesced: Int) {
        var total = (changes: 0, coalesced: 0)
        for store in stores {
            let tally = store.drain(&state, to: &pending, inFlight: inFlight)
            total.changes += tally.changes
            total.coalesced += tally.coalesced
        }
        return total
    }

    /// Moves all pending changes to the flight.
    mutating func startFlight() {
        inFlight = empty()
        for store in stores { store.add(pending, to: &inFlight) }
        pending = empty()
    }

    /// Records that the flight was committed with `result`. Returns the number of committed rows.
    mutating func commitSucceeded(_ result: CommitResult<Changes>) -> Int {
        var rows = 0
        for store in stores { rows += store.commitSucceeded(inFlight, result, pending: &pending) }
        let landed = inFlight
        inFlight = empty()
        // The release of a million values takes as long as their allocation.
        Task.detached(priority: .utility) { withExtendedLifetime(landed) {} }
        return rows
    }

    /// Records that the flight failed. Its changes become pending again, before those that were
    /// added meanwhile.
    mutating func commitFailed() {
        let later = pending
        pending = inFlight
        inFlight = empty()
        for store in stores { store.add(later, to: &pending) }
    }

    /// Removes the pending changes that storage has made although their commit seemed to fail.
    /// Returns true if a pending change was altered. O(`made`).
    mutating func confirm(_ made: Changes) -> Bool {
        var isAltered = false
        for store in stores where store.confirm(made, in: &pending) { isAltered = true }
        return isAltered
    }

    /// Merges the present rows of storage with the pending changes. `arrival` then has the rows
    /// that the state should show. O(rows × log n).
    ///
    /// No changes may be in flight, because their effect on storage is not known.
    mutating func rebase(onto arrival: inout Arrival<Changes>) -> Rebase {
        let theirs = arrival.changes
        arrival.changes = empty()
        var total = Rebase()
        for store in stores {
            var rebase = Rebase()
            store.rebase(&pending, onto: theirs, showing: &arrival.changes, &rebase)
            // If an entity has two conflicts, the later one counts.
            if !rebase.conflicts.isEmpty {
                let ids = Set(rebase.conflicts.map(\.id))
                arrival.conflicts.removeAll { store.matches($0.store) && ids.contains($0.id) }
            }
            total.conflicts += rebase.conflicts
            total.shown += rebase.shown
            total.isAltered = total.isAltered || rebase.isAltered
        }
        arrival.conflicts += total.conflicts
        return total
    }

    func saveState(of id: AnyID, in path: AnyKeyPath?) -> EntitySaveState {
        for store in stores {
            let state = store.saveState(of: id, in: path, pending: pending, inFlight: inFlight)
            if state != .committed { return state }
        }
        return .committed
    }
}

/// The result of merging rows of storage with pending changes.
struct Rebase {
    /// The entities for which one of two conflicting edits has overridden the other.
    var conflicts: [StorageConflict] = []
    /// True if a pending change was altered, so that the log must be replaced.
    var isAltered = false
    /// The number of entities whose value in the state must change.
    var shown = 0
}

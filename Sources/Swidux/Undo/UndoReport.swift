/// The result of an undo or a redo, or of a part of one: see `remaining`.
public struct UndoReport: Sendable, Hashable {
    /// True if the step was redone, and false if it was undone.
    public let isRedo: Bool
    /// The name of the step's command, or nil if there was no step left.
    public var name: String?
    /// The number of entities of the step that are not processed yet. Actions with
    /// ``UndoRole/continuation`` process them. 0 once the step is applied.
    package var remaining = 0

    /// True if changes of the step depend on each other (see ``UndoTies``). Each group of dependent
    /// changes was applied completely or not at all.
    package internal(set) var isTied = false

    /// True if the step had been applied and shared storage then refused a part of it. The
    /// dependent changes have been reverted and count as skipped.
    package internal(set) var isLate = false

    /// True if there was no step left to undo because the history has dropped older ones at a
    /// limit.
    package internal(set) var reachesDroppedSteps = false

    /// One outcome for each store that the step has changed.
    private var outcomes: [UndoOutcome] = []

    init(isRedo: Bool, name: String?) {
        self.isRedo = isRedo
        self.name = name
    }

    /// The number of entities that were restored or removed, in all stores.
    package var touchedCount: Int { outcomes.reduce(0) { $0 + $1.touched.count } }
    /// The number of entities that were skipped because they, or others that they depend on, have
    /// changed since the step, in all stores.
    package var skippedCount: Int { outcomes.reduce(0) { $0 + $1.skipped.count } }

    /// Returns the entities of the store at `keyPath` that were restored or removed, in the order
    /// in which they were processed.
    public func touched<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { outcome(keyPath).touched.compactMap { $0.value() } }

    /// Returns the entities of the store at `keyPath` that were skipped because they, or others
    /// that they depend on (see `UndoTies`), have changed since the step.
    public func skipped<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { outcome(keyPath).skipped.compactMap { $0.value() } }

    /// Returns the skipped entities of the store at `keyPath` that have changed since the step
    /// themselves, with their values after the step, or before it if the step deleted them.
    /// Entities in ``reached(_:)`` and ``blocked(_:)`` are not included.
    package func changed<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { outcome(keyPath).changed.compactMap { $0 as? Entity } }

    /// Returns the skipped entities of the store at `keyPath` that already have the wanted value,
    /// in the form of ``changed(_:)``. For example, another process has deleted an entity that undo
    /// would remove, or a part that was not undone is redone.
    package func reached<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { outcome(keyPath).reached.compactMap { $0 as? Entity } }

    /// Returns the skipped entities of the store at `keyPath` that have not changed since the step,
    /// but that the rest of the state blocked (see ``UndoTrack``), with their wanted values, or
    /// their present ones if they would have been removed.
    package func blocked<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { outcome(keyPath).blocked.compactMap { $0 as? Entity } }

    private func outcome(_ store: AnyKeyPath) -> UndoOutcome {
        outcomes.first { $0.store == store } ?? UndoOutcome(store: store)
    }

    /// Adds the outcome of a pass over one track.
    mutating func add(_ outcome: UndoOutcome) {
        guard outcome.count > 0 else { return }
        if let index = outcomes.firstIndex(where: { $0.store == outcome.store }) {
            outcomes[index].add(outcome)
        } else {
            outcomes.append(outcome)
        }
    }
}

/// The entities of one store that an undo processed, in order.
struct UndoOutcome: Sendable {
    /// The key path of the store in the state. It is immutable, and only compared.
    nonisolated(unsafe) let store: AnyKeyPath
    var touched: [AnyID] = []
    var skipped: [AnyID] = []
    /// The skipped entities that have changed themselves: see ``UndoReport/changed(_:)``.
    var changed: [any Sendable] = []
    /// The skipped entities that already have the wanted value.
    var reached: [any Sendable] = []
    /// The skipped entities that the rest of the state blocked: see ``UndoReport/blocked(_:)``.
    var blocked: [any Sendable] = []

    /// The number of processed entities.
    var count: Int { touched.count + skipped.count }

    mutating func add(_ later: UndoOutcome) {
        touched += later.touched
        skipped += later.skipped
        changed += later.changed
        reached += later.reached
        blocked += later.blocked
    }
}

/// Outcomes are equal if they skipped the same ids. The values of the entities are not compared.
extension UndoOutcome: Hashable {
    static func == (left: UndoOutcome, right: UndoOutcome) -> Bool {
        left.store == right.store && left.touched == right.touched && left.skipped == right.skipped
            && left.changed.count == right.changed.count
            && left.reached.count == right.reached.count
            && left.blocked.count == right.blocked.count
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(store)
        hasher.combine(touched)
        hasher.combine(skipped)
    }
}

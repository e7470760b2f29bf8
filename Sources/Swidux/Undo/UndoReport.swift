/// The result of an undo or a redo, or of a part of one: see `remaining`.
public struct UndoReport: Sendable, Hashable {
    /// The direction in which a step was applied.
    package enum Direction: Sendable, Hashable {
        /// The step was undone.
        case undo
        /// The step was redone.
        case redo
    }

    /// Entities of one store, in the order in which they were processed.
    private struct Entities: Hashable {
        let store: StorePath
        var ids: [AnyID]
    }

    /// Values of entities of one store. Only their number is compared, because reports that skipped
    /// the same ids are equal.
    private struct Values: Hashable {
        let store: StorePath
        var values: [any Sendable]

        static func == (left: Self, right: Self) -> Bool {
            left.store == right.store && left.values.count == right.values.count
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(store)
            hasher.combine(values.count)
        }
    }

    /// The direction in which the step was applied.
    package var direction: Direction
    /// True if the step was redone, and false if it was undone.
    public var isRedo: Bool { direction == .redo }
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

    private var touched: [Entities] = []
    private var skipped: [Entities] = []
    private var changed: [Values] = []
    private var reached: [Values] = []
    private var blocked: [Values] = []

    init(direction: Direction, name: String?) {
        self.direction = direction
        self.name = name
    }

    /// The number of entities that were restored or removed, in all stores.
    package var touchedCount: Int { touched.reduce(0) { $0 + $1.ids.count } }
    /// The number of entities that were skipped because they, or others that they depend on, have
    /// changed since the step, in all stores.
    package var skippedCount: Int { skipped.reduce(0) { $0 + $1.ids.count } }

    /// Returns the entities of the store at `keyPath` that were restored or removed, in the order
    /// in which they were processed.
    public func touched<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { Self.ids(in: touched, keyPath) }

    /// Returns the entities of the store at `keyPath` that were skipped because they, or others
    /// that they depend on (see `UndoTies`), have changed since the step.
    public func skipped<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { Self.ids(in: skipped, keyPath) }

    /// Returns the skipped entities of the store at `keyPath` that have changed since the step
    /// themselves, with their values after the step, or before it if the step deleted them.
    /// Entities in ``reached(_:)`` and ``blocked(_:)`` are not included.
    package func changed<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { Self.values(in: changed, keyPath) }

    /// Returns the skipped entities of the store at `keyPath` that already have the wanted value,
    /// in the form of ``changed(_:)``. For example, another process has deleted an entity that undo
    /// would remove, or a part that was not undone is redone.
    package func reached<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { Self.values(in: reached, keyPath) }

    /// Returns the skipped entities of the store at `keyPath` that have not changed since the step,
    /// but that the rest of the state blocked (see ``UndoTrack``), with their wanted values, or
    /// their present ones if they would have been removed.
    package func blocked<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { Self.values(in: blocked, keyPath) }

    private static func values<Entity>(in groups: [Values], _ store: AnyKeyPath) -> [Entity] {
        groups.filter { $0.store.keyPath == store }.flatMap(\.values).compactMap { $0 as? Entity }
    }

    private static func ids<ID: Hashable & Sendable>(
        in groups: [Entities], _ store: AnyKeyPath
    ) -> [ID] {
        groups.filter { $0.store.keyPath == store }.flatMap {
            $0.ids.compactMap { $0.value(as: ID.self) }
        }
    }

    mutating func add(_ outcome: UndoOutcome, store: StorePath) {
        Self.add(outcome.touched, store, to: &touched)
        Self.add(outcome.skipped, store, to: &skipped)
        if !outcome.changed.isEmpty {
            changed.append(Values(store: store, values: outcome.changed))
        }
        if !outcome.reached.isEmpty {
            reached.append(Values(store: store, values: outcome.reached))
        }
        if !outcome.blocked.isEmpty {
            blocked.append(Values(store: store, values: outcome.blocked))
        }
    }

    private static func add(
        _ ids: [AnyID], _ store: StorePath, to groups: inout [Entities]
    ) {
        guard !ids.isEmpty else { return }
        if let index = groups.firstIndex(where: { $0.store == store }) {
            groups[index].ids += ids
        } else {
            groups.append(Entities(store: store, ids: ids))
        }
    }
}

/// The progress of an undo or a redo.
struct UndoProgress {
    /// The number of the current pass. If there are groups, every track first checks; then every
    /// track restores; then every track removes, in reverse.
    var pass = 0
    /// The index of the next change of the pass's track.
    var place = 0
    /// The number of entities that the current action may still process.
    var room = 0
    /// The number of entities of the step that are not processed yet.
    var remaining: Int
    /// The changes that depend on each other, or nil if none do.
    var groups: UndoGroups?
    /// The number in ``groups`` of the first change of the pass's track.
    var first = 0
}

/// The result of one pass of an undo over one track.
struct UndoOutcome {
    var touched: [AnyID] = []
    var skipped: [AnyID] = []
    /// The skipped entities that have changed themselves: see ``UndoReport/changed(_:)``.
    var changed: [any Sendable] = []
    /// The skipped entities that already have the wanted value.
    var reached: [any Sendable] = []
    /// The skipped entities that the rest of the state blocked: see ``UndoReport/blocked(_:)``.
    var blocked: [any Sendable] = []
}

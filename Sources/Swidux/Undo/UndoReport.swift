/// The result of an undo or a redo, or of a part of one: see `remaining`.
public struct UndoReport: Sendable, Hashable {
    /// Which way a step was applied.
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

    /// Entities of one store as a step left them. Reports are equal if they skipped the same ids.
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

    /// Which way the step was applied.
    package var direction: Direction
    /// True if the step was redone, and false if it was undone.
    public var isRedo: Bool { direction == .redo }
    /// The name of the command whose step it was; nil if there was none left.
    public var name: String?
    /// How many entities of the step are still to be restored or removed, by an action with
    /// ``UndoRole/rest``; 0 once it is applied.
    package var remaining = 0

    /// True if changes of the step depend on each other (see ``UndoTies``): then those that do were
    /// restored or removed completely or not at all.
    package internal(set) var isTied = false

    /// True if the step had been applied, and storage, which others write to, has refused part of
    /// it since. Its dependent changes have been reverted and count as skipped.
    package internal(set) var isLate = false

    /// True if there was no step left to undo because a limit of the history has made it drop
    /// older ones.
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

    /// How many entities were restored or removed, in all stores.
    package var touchedCount: Int { touched.reduce(0) { $0 + $1.ids.count } }
    /// How many were skipped because they, or others that they depend on, have changed since the
    /// step, in all stores.
    package var skippedCount: Int { skipped.reduce(0) { $0 + $1.ids.count } }

    /// The entities of the store at `keyPath` that were restored or removed, in the order in which
    /// that was done.
    public func touched<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { Self.ids(in: touched, keyPath) }

    /// The entities of the store at `keyPath` that were skipped because they, or others that they
    /// depend on (see `UndoTies`), have changed since the step.
    public func skipped<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { Self.ids(in: skipped, keyPath) }

    /// The skipped entities of the store at `keyPath` that have changed since the step themselves,
    /// as the step left them; one that it deleted, as it was before. Those in ``reached(_:)`` and
    /// ``blocked(_:)`` are not among them.
    package func changed<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { Self.values(in: changed, keyPath) }

    /// The skipped entities of the store at `keyPath` that already are as they were to become, in
    /// the form of ``changed(_:)``: another process has deleted one that was to be removed, or a
    /// part that was not undone is redone.
    package func reached<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity] { Self.values(in: reached, keyPath) }

    /// The skipped entities of the store at `keyPath` that have not changed, but that the rest of
    /// the state kept from changing (see ``UndoTrack``): as they were to become; one that was to be
    /// removed, as it is.
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

/// How far an undo or a redo has come.
struct UndoProgress {
    /// Which of the passes goes on: if there are groups, every track checks; then every track
    /// restores; then every track removes, in reverse.
    var pass = 0
    /// The place in the changes of that pass's track.
    var place = 0
    /// How many entities may still be touched at once.
    var room = 0
    /// How many entities of the step are left.
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
    /// Those of the skipped that have changed themselves, as they were before.
    var changed: [any Sendable] = []
    /// The skipped entities that already are as they were to become.
    var reached: [any Sendable] = []
    /// Those of the skipped that the rest of the state blocked, as they were to become.
    var blocked: [any Sendable] = []
}

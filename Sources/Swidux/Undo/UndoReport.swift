/// What an undo or a redo did, or a part of one: see ``remaining``.
public struct UndoReport: Sendable, Hashable {
    /// Which way a step was applied.
    public enum Direction: Sendable, Hashable {
        /// The step was undone.
        case undo
        /// The step was redone.
        case redo
    }

    /// Entities of one store, in the order in which they were processed.
    private struct Entities: Hashable {
        let store: AnyKeyPath & Sendable
        var ids: [AnyID]

        static func == (left: Self, right: Self) -> Bool {
            left.store == right.store && left.ids == right.ids
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(store)
            hasher.combine(ids)
        }
    }

    /// Which way the step was applied.
    public var direction: Direction
    /// The name of the command whose step it was; nil if there was none left.
    public var name: String?
    /// How many entities of the step are still to be restored or removed, by an action with
    /// ``UndoRole/rest``; 0 once it is applied.
    public var remaining = 0

    private var touched: [Entities] = []
    private var skipped: [Entities] = []

    init(direction: Direction, name: String?) {
        self.direction = direction
        self.name = name
    }

    /// How many entities were restored or removed, in all stores.
    public var touchedCount: Int { touched.reduce(0) { $0 + $1.ids.count } }
    /// How many were skipped because they have changed since the step, in all stores.
    public var skippedCount: Int { skipped.reduce(0) { $0 + $1.ids.count } }

    /// The entities of the store at `keyPath` that were restored or removed, in the order in which
    /// that was done.
    public func touched<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { Self.ids(in: touched, keyPath) }

    /// The entities of the store at `keyPath` that were skipped because they have changed since the
    /// step.
    public func skipped<State, Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) -> [Entity.ID] { Self.ids(in: skipped, keyPath) }

    private static func ids<ID: Hashable & Sendable>(
        in groups: [Entities], _ store: AnyKeyPath
    ) -> [ID] {
        groups.filter { $0.store == store }.flatMap { $0.ids.compactMap { $0.value(as: ID.self) } }
    }

    mutating func add(_ outcome: UndoOutcome, store: AnyKeyPath & Sendable) {
        Self.add(outcome.touched, store, to: &touched)
        Self.add(outcome.skipped, store, to: &skipped)
    }

    private static func add(
        _ ids: [AnyID], _ store: AnyKeyPath & Sendable, to groups: inout [Entities]
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
@usableFromInline struct UndoProgress {
    /// Which of the passes goes on: every track restores, then every track removes, in reverse.
    @usableFromInline var pass = 0
    /// The place in the changes of that pass's track.
    @usableFromInline var place = 0
    /// How many entities may still be touched at once.
    @usableFromInline var room = 0
    /// How many entities of the step are left.
    @usableFromInline var remaining: Int
}

/// What one track did in one pass of an undo.
@usableFromInline struct UndoOutcome {
    @usableFromInline var touched: [AnyID] = []
    @usableFromInline var skipped: [AnyID] = []

    @inlinable init() {}
}

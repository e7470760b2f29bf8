/// What an undo or a redo did, or a part of one: see ``remaining``.
public struct UndoReport: Sendable, Hashable {
    /// Which way a step was applied.
    public enum Direction: Sendable, Hashable {
        /// The step was undone.
        case undo
        /// The step was redone.
        case redo
    }

    /// Entities of one track, in the order in which they were processed.
    public struct Touched: Sendable, Hashable {
        /// The index of the track among those of the history.
        public var track: Int
        /// The ids of the entities.
        public var ids: [AnyID]
    }

    /// Which way the step was applied.
    public var direction: Direction
    /// The name of the command whose step it was; nil if there was none left.
    public var name: String?
    /// The entities restored or removed, by track.
    public var touched: [Touched]
    /// The entities skipped because they have changed since the step, by track.
    public var skipped: [Touched]
    /// How many entities of the step are still to be restored or removed, by an action with
    /// ``UndoRole/rest``; 0 once it is applied.
    public var remaining: Int

    /// A report, for tests and reducers.
    public init(
        direction: Direction, name: String?, touched: [Touched], skipped: [Touched],
        remaining: Int = 0
    ) {
        self.direction = direction
        self.name = name
        self.touched = touched
        self.skipped = skipped
        self.remaining = remaining
    }

    /// The ids touched on a track, of the given type.
    public func touched<ID: Hashable & Sendable>(on track: Int, as type: ID.Type = ID.self) -> [ID]
    {
        Self.ids(in: touched, on: track)
    }

    /// The ids skipped on a track, of the given type.
    public func skipped<ID: Hashable & Sendable>(on track: Int, as type: ID.Type = ID.self) -> [ID]
    {
        Self.ids(in: skipped, on: track)
    }

    private static func ids<ID: Hashable & Sendable>(in groups: [Touched], on track: Int) -> [ID] {
        groups.filter { $0.track == track }.flatMap { $0.ids.compactMap { $0.value(as: ID.self) } }
    }

    mutating func add(_ outcome: UndoOutcome, track: Int) {
        Self.add(outcome.touched, track: track, to: &touched)
        Self.add(outcome.skipped, track: track, to: &skipped)
    }

    private static func add(_ ids: [AnyID], track: Int, to groups: inout [Touched]) {
        guard !ids.isEmpty else { return }
        if let index = groups.firstIndex(where: { $0.track == track }) {
            groups[index].ids += ids
        } else {
            groups.append(Touched(track: track, ids: ids))
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

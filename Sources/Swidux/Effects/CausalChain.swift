/// The actions that led to one action: each was sent because of the one before.
///
/// A loop makes its chain grow endlessly at full speed, whether or not it touches an entity; typing
/// makes no chain, and a clock that ticks through effects makes a slow one, which starts over every
/// second.
struct CausalChain<Action: Sendable>: Sendable {
    /// How an action is caused by the one before.
    enum Link {
        /// It was sent while that was handled, by a subscriber or a status.
        case nested
        /// The effect of that sent it.
        case effect
    }

    private static var limit: Int { 1000 }
    private static var window: Duration { .seconds(1) }

    /// The number of the action that began it.
    let root: UInt64
    /// The links within the last second.
    private var length = 0
    private var start: ContinuousClock.Instant
    /// The links since an effect sent something.
    private var nested = 0
    /// The last actions of a long chain.
    private var actions: [Action] = []

    /// The chain of the action `root`, which nothing caused.
    init(root: UInt64, at time: ContinuousClock.Instant) { (self.root, start) = (root, time) }

    /// Adds an action, and returns the loop if the chain has got so long.
    mutating func add(
        _ action: Action, by link: Link, at time: ContinuousClock.Instant
    ) -> ActionLoop<Action>? {
        if time - start > Self.window { (length, start) = (0, time) }
        length += 1
        nested = link == .nested ? nested + 1 : 0
        guard max(length, nested) > Self.limit - ActionLoop<Action>.maxActions else {
            return nil
        }
        actions = actions.suffix(ActionLoop<Action>.maxActions - 1) + [action]
        if nested >= Self.limit { return ActionLoop(actions: actions, isStopped: true) }
        guard length >= Self.limit, link == .effect else { return nil }
        return ActionLoop(actions: actions, isStopped: false)
    }
}

/// A chain of a thousand actions, each caused by the one before: see ``Store/onLoop``.
struct ActionLoop<Action: Sendable>: Sendable, CustomStringConvertible {
    static var maxActions: Int { 8 }

    /// The last actions of the chain, the newest last.
    let actions: [Action]
    /// True if each was sent while the one before was handled: the newest was not taken, since the
    /// program would hang. False if effects sent them: all are taken.
    let isStopped: Bool

    /// A sentence with the actions.
    var description: String {
        let names = actions.map { "\($0)" }.joined(separator: " → ")
        return isStopped
            ? "Actions that send each other while they are handled were stopped: \(names)"
            : "Actions follow each other through effects without a pause: \(names)"
    }
}

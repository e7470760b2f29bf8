/// The actions that led to one action: each caused the next.
///
/// In a loop of actions, the chain grows without end at full speed, even if no entity changes.
/// Typing makes no chain. A clock that ticks through effects makes a slow chain, whose count starts
/// again every second.
struct CausalChain<Action: Sendable>: Sendable {
    /// The way in which one action caused the next.
    enum Link {
        /// The action was sent while the store handled the previous one, for example by a
        /// subscriber.
        case nested
        /// An effect of the previous action sent the action.
        case effect
    }

    private static var limit: Int { 1000 }
    private static var window: Duration { .seconds(1) }

    /// The number of the action that began the chain.
    let root: UInt64
    /// The links within the last second.
    private var length = 0
    private var start: ContinuousClock.Instant
    /// The links since an effect sent something.
    private var nested = 0
    /// The last actions of a long chain.
    private var actions: [Action] = []

    /// Creates the chain of the action `root`, which nothing caused.
    init(root: UInt64, at time: ContinuousClock.Instant) { (self.root, start) = (root, time) }

    /// Adds an action. Returns the loop if the chain has reached its limit.
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

/// A chain of a thousand actions, each caused by the previous one: see ``Store/onLoop``.
struct ActionLoop<Action: Sendable>: Sendable, CustomStringConvertible {
    static var maxActions: Int { 8 }

    /// The last actions of the chain, the newest last.
    let actions: [Action]
    /// True if each action was sent while the previous one was handled. The store then drops the
    /// newest, because the program would hang. False if effects sent them: the store handles them
    /// all.
    let isStopped: Bool

    /// A sentence that lists the actions.
    var description: String {
        let names = actions.map { "\($0)" }.joined(separator: " → ")
        return isStopped
            ? "Actions that send each other while they are handled were stopped: \(names)"
            : "Actions follow each other through effects without a pause: \(names)"
    }
}

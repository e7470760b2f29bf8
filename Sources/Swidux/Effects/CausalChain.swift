/// The actions that led to one action: each caused the next.
///
/// In a loop of actions, the chain grows without end at full speed, even if no entity changes.
/// Typing makes no chain. A clock that ticks through effects makes a slow chain, whose count starts
/// again every second.
struct CausalChain<Action: Sendable>: Sendable {
    private static var limit: Int { 1000 }
    /// The number of actions that the description of a loop lists.
    private static var maxActions: Int { 8 }
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

    /// Adds an action. Returns the description of the loop if the chain has reached its limit.
    ///
    /// `isStopped` is true if each action was sent while the previous one was handled. The store
    /// then drops the newest, because the program would hang. False if effects sent them: the store
    /// handles them all.
    ///
    /// - Parameter isNested: true if the action was sent while the store handled the previous one,
    ///   for example by a subscriber. False if an effect of the previous action sent it.
    mutating func add(
        _ action: Action, isNested: Bool, at time: ContinuousClock.Instant
    ) -> (loop: String, isStopped: Bool)? {
        if time - start > Self.window { (length, start) = (0, time) }
        length += 1
        nested = isNested ? nested + 1 : 0
        guard max(length, nested) > Self.limit - Self.maxActions else { return nil }
        actions = actions.suffix(Self.maxActions - 1) + [action]
        let names = { [actions] in actions.map { "\($0)" }.joined(separator: " → ") }
        if nested >= Self.limit {
            return (
                "Actions that send each other while they are handled were stopped: \(names())", true
            )
        }
        guard length >= Self.limit, !isNested else { return nil }
        return ("Actions follow each other through effects without a pause: \(names())", false)
    }
}

import Dispatch

/// A sender of actions to a store, for views and background code that should not know the store.
///
/// ```swift
/// let items = Dispatcher<ItemAction> { [all = store.dispatcher] in all.send(.items($0)) }
/// items.send(.create)         // on the main actor: handled before it returns
/// items.post(.create)         // from anywhere: handled soon, in the order of the posts
/// ```
///
/// The dispatcher of a store does not retain it. Once the store is released, actions are dropped.
public struct Dispatcher<Action: Sendable>: Sendable {
    private let take: Send<Action>

    /// Creates a dispatcher that hands actions to `send`.
    public init(_ send: @escaping Send<Action>) { take = send }

    /// Sends an action on the main actor, like ``Store/send(_:)``.
    @MainActor public func send(_ action: Action) { take(action) }

    /// Sends the action in a later turn of the main queue, from any thread. The actions of one
    /// thread keep their order.
    public func post(_ action: Action) {
        DispatchQueue.main.async { [take] in
            MainActor.assumeIsolated { take(action) }
        }
    }

    /// Returns a dispatcher for a feature's own actions.
    package func map<Child>(
        _ transform: @escaping @Sendable (Child) -> Action
    ) -> Dispatcher<Child> {
        Dispatcher<Child> { [take] in take(transform($0)) }
    }
}

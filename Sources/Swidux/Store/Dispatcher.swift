import Dispatch

/// A handle to send actions by, for views and background code that need not know the store.
///
/// ```swift
/// let items: Dispatcher<ItemAction> = store.dispatcher.map { .items($0) }
/// items.send(.create)         // on the main actor: taken before it returns
/// items.post(.create)         // from anywhere: taken soon, in the order of the posts
/// ```
///
/// It does not keep its store: once that is gone, actions go nowhere.
public struct Dispatcher<Action: Sendable>: Sendable, SwiduxDispatcher {
    private let take: Send<Action>

    /// A dispatcher that hands actions to `send`.
    public init(_ send: @escaping Send<Action>) { take = send }

    public func send(_ action: Action) { take(action) }

    /// Sends the action in a later turn of the main queue, from any thread. What one thread posts
    /// is taken in the order in which it posts it.
    public nonisolated func post(_ action: Action) {
        DispatchQueue.main.async { [take] in
            MainActor.assumeIsolated { take(action) }
        }
    }

    /// A dispatcher for a feature's own actions.
    public func map<Child>(
        _ transform: @escaping @Sendable (Child) -> Action
    ) -> Dispatcher<Child> {
        Dispatcher<Child> { [take] in take(transform($0)) }
    }
}

/// Work that reads the state as it goes and sends any number of actions: for what takes several
/// steps, each decided by what the one before made of the state.
///
/// ```swift
/// store.run { state, send in
///     send(.items(.create))
///     guard let id = state().items.last?.id else { return }
///     await upload(id)
///     send(.items(.uploaded(id)))
/// }
/// ```
public typealias Plan<State, Action> =
    @MainActor @Sendable (_ state: @MainActor () -> State?, _ send: @escaping Send<Action>) async ->
    Void

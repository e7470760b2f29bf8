/// Work that may follow an action. It receives the action and the resulting state, and returns the
/// next action, or nil.
public typealias FollowUp<State, Action> =
    @Sendable (_ action: Action, _ state: State) async -> Action?

extension Reduce where RootAction == Action, Environment == Void {
    /// Creates a reducer that calls `body`, which has no effects and needs only state and action.
    public init(_ body: @escaping (inout State, Action) -> Void) {
        self.init { state, action, _ in
            body(&state, action)
            return nil
        }
    }
}

/// The smallest store: functions in place of a reducer and an environment.
extension Store where State: Sendable, Environment == Void {
    /// Creates a store made of a function that changes the state, and of functions that may respond
    /// to an action with another.
    ///
    /// ```swift
    /// let store = Store(
    ///     initialState: Counter(), reducer: counterReducer, effects: [counterEffect])
    /// await store.dispatch(.incrementLater).value
    /// ```
    ///
    /// For every action, the store starts all functions of `effects` at the same time, off the main
    /// actor. A function that has nothing to do returns nil at once. Each function costs one task
    /// per action. If there are many actions, use a ``SwiduxReducer``, which returns an effect only
    /// for the actions that need one.
    public convenience init(
        initialState: State,
        reducer: @escaping (inout State, Action) -> Void,
        effects: [FollowUp<State, Action>] = []
    ) {
        self.init(
            initialState: initialState,
            reducer: Reduce<State, Action, Action, Void> { state, action, _ in
                reducer(&state, action)
                let result = state
                return Effects.merge(
                    effects.map { effect in
                        { send in
                            guard let next = await effect(action, result) else { return }
                            await send(next)
                        }
                    })
            },
            environment: ())
    }
}

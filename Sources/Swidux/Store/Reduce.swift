/// A reducer made of a function.
///
/// ```swift
/// let counter = Reduce<Int, CounterAction, CounterAction, Void> { state, action, _ in
///     state += action == .increment ? 1 : -1
///     return nil
/// }
/// ```
public struct Reduce<State, Action, RootAction, Environment>: SwiduxReducer {
    private let body: (inout State, Action, Environment) -> Effect<RootAction>?

    /// Creates a reducer that calls `body`.
    public init(_ body: @escaping (inout State, Action, Environment) -> Effect<RootAction>?) {
        self.body = body
    }

    public func reduce(
        state: inout State, action: Action, environment: Environment
    ) -> Effect<RootAction>? {
        body(&state, action, environment)
    }
}

extension SwiduxReducer {
    /// Returns this reducer followed by `next`, for every action. The effects of both run at the
    /// same time.
    public func combined(
        with next: some SwiduxReducer<State, Action, RootAction, Environment>
    ) -> Reduce<State, Action, RootAction, Environment> {
        Reduce { state, action, environment in
            let first = reduce(state: &state, action: action, environment: environment)
            return Effects.merge(
                first, next.reduce(state: &state, action: action, environment: environment))
        }
    }

    /// Returns this reducer for a larger state that contains its own. The feature sees only that
    /// part, which it changes in place, and the part of the environment that `environment` returns.
    public func scoped<Parent, Surroundings>(
        to slice: WritableKeyPath<Parent, State>,
        environment: @escaping (Surroundings) -> Environment
    ) -> Reduce<Parent, Action, RootAction, Surroundings> {
        let use = ReducerUse()
        return Reduce { parent, action, surroundings in
            reduce(
                state: &parent[keyPath: slice], action: action,
                environment: environment(surroundings)
            ).map { Effects.map($0, from: use) }
        }
    }

    /// Returns this reducer for a larger state that contains its own, with the same environment.
    public func scoped<Parent>(
        to slice: WritableKeyPath<Parent, State>
    ) -> Reduce<Parent, Action, RootAction, Environment> {
        scoped(to: slice, environment: { $0 })
    }

    /// Returns this reducer for the larger actions of the application. It ignores actions for which
    /// `extract` returns nil. `embed` turns the actions that its effects send into larger ones.
    public func embedded<Larger>(
        extract: @escaping (Larger) -> Action?,
        embed: @escaping @Sendable (RootAction) -> Larger
    ) -> Reduce<State, Larger, Larger, Environment> {
        Reduce { state, action, environment in
            guard let own = extract(action) else { return nil }
            return reduce(state: &state, action: own, environment: environment)
                .map { Effects.map($0, embed) }
        }
    }
}

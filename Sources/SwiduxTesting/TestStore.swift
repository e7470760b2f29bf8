import Swidux

/// Checks a reducer action by action: every change of the state must be expected, and every action that an effect sends
/// must be received.
///
/// ```swift
/// let store = TestStore(initialState: Counter(), reducer: CounterReducer(), environment: ()) { message in
///     Issue.record(Comment(rawValue: message))
/// }
/// store.send(.increment) { $0.count = 1 }
/// store.finish()
/// ```
///
/// It takes a handler for failures, so that it serves any testing library.
@MainActor
public final class TestStore<State: Equatable, Action: Sendable, Environment> {
    /// The state as the last action left it.
    public private(set) var state: State

    private let environment: Environment
    private let reduce: (inout State, Action, Environment) -> Effect<Action>?
    private let fail: (String) -> Void
    private var effects: [Effect<Action>] = []
    private var received: [Action] = []

    public init<Reducer: SwiduxReducer>(
        initialState: State, reducer: Reducer, environment: Environment,
        onFailure fail: @escaping @MainActor (String) -> Void
    )
    where
        Reducer.State == State, Reducer.Action == Action, Reducer.RootAction == Action,
        Reducer.Environment == Environment
    {
        state = initialState
        self.environment = environment
        self.fail = fail
        reduce = { state, action, environment in
            reducer.reduce(state: &state, action: action, environment: environment)
        }
    }

    /// Sends an action and compares the state with what `change` makes of the one before. Effects wait for
    /// ``runEffects()``.
    public func send(_ action: Action, expecting change: (inout State) -> Void = { _ in }) {
        if !received.isEmpty {
            fail("\(received.count) received actions must be expected first: \(received)")
        }
        work(on: action, expecting: change)
    }

    /// Runs the effects started so far to their ends, one after the other, and keeps the actions that they send for
    /// ``receive(_:expecting:)``.
    public func runEffects() async {
        let started = effects
        effects = []
        for effect in started {
            await effect { [weak self] action in self?.received.append(action) }
        }
    }

    /// Takes the next action that an effect has sent, which `isExpected` must accept, as ``send(_:expecting:)`` does.
    public func receive(
        _ isExpected: (Action) -> Bool, expecting change: (inout State) -> Void = { _ in }
    ) {
        guard !received.isEmpty else { return fail("no action was received") }
        let action = received.removeFirst()
        if !isExpected(action) { fail("another action was received: \(action)") }
        work(on: action, expecting: change)
    }

    /// Fails if an effect was not run, or an action that one sent was not received.
    public func finish() {
        if !effects.isEmpty { fail("\(effects.count) effects were not run") }
        if !received.isEmpty { fail("\(received.count) actions were not received: \(received)") }
    }

    private func work(on action: Action, expecting change: (inout State) -> Void) {
        var expected = state
        change(&expected)
        if let effect = reduce(&state, action, environment) { effects.append(effect) }
        guard state != expected else { return }
        fail(
            "the state is not what was expected after \(action):\n\(difference(from: expected, to: state))"
        )
    }
}

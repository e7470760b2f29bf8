import Swidux

/// Tests a feature action by action: how each changes the state, and what its effects send.
///
/// ```swift
/// let store = TestStore(
///     initialState: Search(), reducer: SearchReducer(), environment: .test
/// ) { message in Issue.record(Comment(rawValue: message)) }
/// store.send(.typed("swift")) { $0.text = "swift" }
/// await clock.sleepBegan()
/// clock.advance(by: .milliseconds(300))
/// await store.receive(.found(["Swift"])) { $0.results = ["Swift"] }
/// await store.finish()
/// ```
///
/// Effects run as in a `Store`, but the actions that they send wait until the test receives them.
/// Unless ``exhaustivity`` is relaxed, the test has to expect every change and every action of an
/// effect, and no effect may run at the end.
///
/// It reports failures to a function, so any testing library will do.
@MainActor
public final class TestStore<State: Equatable, Action: Sendable, Environment> {
    /// How much a test has to expect.
    public enum Exhaustivity: Sendable {
        /// Everything: an expectation is given the state before and has to change it to the state
        /// after.
        case on
        /// Only what the test names: an expectation is given the state after and must not change
        /// it; actions before the one that is received are skipped, and what is left at the end is
        /// no failure.
        case off
    }

    /// How much the test has to expect from now on.
    public var exhaustivity: Exhaustivity

    private let store: Store<State, TestStep<Action>, Environment>
    private let inbox: Inbox<Action>
    private let fail: (String) -> Void

    /// A store under test. `fail` is given the sentence that describes a failure, for
    /// `Issue.record` in Swift Testing or `XCTFail` in XCTest.
    public init<Reducer: SwiduxReducer>(
        initialState: State, reducer: Reducer, environment: Environment,
        exhaustivity: Exhaustivity = .on,
        onFailure fail: @escaping @MainActor (String) -> Void
    )
    where
        Reducer.State == State, Reducer.Action == Action, Reducer.RootAction == Action,
        Reducer.Environment == Environment
    {
        let inbox = Inbox<Action>()
        self.inbox = inbox
        self.fail = fail
        self.exhaustivity = exhaustivity
        store = Store(
            initialState: initialState,
            reducer: Reduce { state, step, environment in
                switch step {
                case .take(let action):
                    let effect = reducer.reduce(
                        state: &state, action: action, environment: environment)
                    guard let effect else { return nil }
                    let number = inbox.begin(action)
                    return Effects.concatenate(
                        Effects.map(effect) { TestStep.effectSent($0) },
                        { send in await send(.effectEnded(number)) })
                case .effectSent(let action): inbox.append(action)
                case .effectEnded(let number): inbox.end(number)
                }
                return nil
            },
            environment: environment)
    }

    /// The state as the last action left it.
    public var state: State { store.state }

    /// Sends an action as a user does, and checks how it changes the state: `change` turns the
    /// state before into the state after; see ``Exhaustivity``.
    public func send(_ action: Action, expecting change: (inout State) -> Void = { _ in }) {
        if exhaustivity == .on, !inbox.actions.isEmpty {
            fail(
                "before \(action) is sent, \(inbox.actions.count) actions of effects have to be"
                    + " received: \(inbox.actions)")
        }
        work(on: action, expecting: change)
    }

    /// Waits for the next action of an effect, which `isExpected` must accept, and checks how it
    /// changes the state.
    ///
    /// Fails when no effect is left that could send one.
    public func receive(
        _ isExpected: (Action) -> Bool, expecting change: (inout State) -> Void = { _ in }
    ) async {
        while let action = await inbox.next() {
            if isExpected(action) { return work(on: action, expecting: change) }
            guard exhaustivity == .off else {
                fail("another action was received: \(action)")
                return work(on: action, expecting: change)
            }
            store.send(.take(action))
        }
        fail("no action was received, and no effect is running that could send one")
    }

    /// Waits for `action` to be sent by an effect, as ``receive(_:expecting:)`` does.
    public func receive(
        _ action: Action, expecting change: (inout State) -> Void = { _ in }
    ) async where Action: Equatable {
        await receive({ $0 == action }, expecting: change)
    }

    /// Ends the test: fails if actions of effects were not received, or effects are running. Does
    /// not wait for them.
    public func finish() async {
        // What has already been sent may still be on its way to the main actor.
        await Task.yield()
        guard exhaustivity == .on else { return }
        if !inbox.actions.isEmpty {
            fail("\(inbox.actions.count) actions were not received: \(inbox.actions)")
        }
        if !inbox.running.isEmpty {
            let causes = inbox.running.sorted { $0.key < $1.key }.map { "\($0.value)" }
            fail(
                "\(causes.count) effects are still running, of: \(causes.joined(separator: ", "))")
        }
    }

    /// Waits until every effect has ended, then ``finish()``.
    public func finishEffects() async {
        await store.settled()
        await finish()
    }

    private func work(on action: Action, expecting change: (inout State) -> Void) {
        var expected = state
        store.send(.take(action))
        if exhaustivity == .off { expected = state }
        change(&expected)
        guard state != expected else { return }
        let difference = StateDifference(from: expected, to: state)
        fail(
            "the state is not what was expected after \(action) (expected → actual):\n\(difference)"
        )
    }
}

/// What happens to the store inside a ``TestStore``.
enum TestStep<Action: Sendable>: Sendable {
    case take(Action)
    case effectSent(Action)
    /// The effect with this number has ended.
    case effectEnded(Int)
}

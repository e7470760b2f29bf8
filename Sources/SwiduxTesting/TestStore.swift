import Swidux
import Testing

/// A store for tests of a feature or a whole application, action by action. It checks how each
/// action changes the state, and which actions its effects send.
///
/// ```swift
/// let store = TestStore(
///     initialState: Search(), reducer: SearchReducer(), environment: .test)
/// store.send(.typed("swift")) { $0.text = "swift" }
/// await clock.sleepBegan()
/// clock.advance(by: .milliseconds(300))
/// await store.receive(.found(["Swift"])) { $0.results = ["Swift"] }
/// await store.finish()
/// ```
///
/// Effects run as in a `Store`, but the actions that they send wait until the test receives them.
/// Arrivals of storage wait too. Unless ``exhaustivity`` is relaxed, the test must expect every
/// change and every action, and call ``finish(sourceLocation:)`` at the end.
///
/// No call waits forever: it fails after ``timeout`` without an event. A failure names the line of
/// the call. By default, failures are issues of Swift Testing. For another library, pass a function
/// that records them.
@MainActor
public final class TestStore<State: Equatable, Action: Sendable, Environment> {
    /// The completeness with which a test must describe changes and actions.
    public enum Exhaustivity: Sendable {
        /// Checks everything: an expectation receives the state before the action and must change
        /// it to the state after.
        case on
        /// Checks only the changes that the test names: an expectation receives the state after the
        /// action and must not change it. Actions before the received one are skipped, and
        /// remaining ones do not fail the test.
        case off
    }

    /// The completeness with which the test must describe changes and actions from now on.
    public var exhaustivity: Exhaustivity
    /// The real time without an event after which a call that waits fails.
    public var timeout: Duration

    private let store: Store<State, Action, Environment>
    private let inbox: Inbox<Action>
    private let fail: FailureHandler
    /// True if code other than effects can send actions.
    private var hasOtherSenders = false
    /// The last action that an arrival has become.
    private var lastArrival: Action?
    /// The place of the last call of `send` or `receive`.
    private var lastLocation: SourceLocation?

    /// Creates a store under test that keeps everything in memory.
    ///
    /// - Parameters:
    ///   - initialState: the state before the first action.
    ///   - reducer: the function that changes the state.
    ///   - environment: the values that the reducer receives in addition to state and action.
    ///   - undo: the history of this store, and of no other.
    ///   - middleware: the code around every action, the outermost first.
    ///   - exhaustivity: the completeness with which the test must describe changes and actions.
    ///   - timeout: the real time without an event after which a call that waits fails.
    ///   - fail: the function that records failures.
    public convenience init(
        initialState: State, reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        undo: UndoHistory<State, Action>? = nil,
        middleware: [Middleware<State, Action>] = [],
        exhaustivity: Exhaustivity = .on,
        timeout: Duration = .seconds(10),
        onFailure fail: @escaping FailureHandler = { Issue.record("\($0)", sourceLocation: $1) }
    ) {
        self.init(
            initialState: initialState, reducer: reducer, environment: environment,
            persistence: nil, undo: undo, middleware: middleware,
            exhaustivity: exhaustivity, timeout: timeout, onFailure: fail)
    }

    /// Creates a store under test that saves its state.
    public convenience init<Changes>(
        initialState: State, reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        persistence: PersistencePipeline<State, Changes>,
        undo: UndoHistory<State, Action>? = nil,
        middleware: [Middleware<State, Action>] = [],
        exhaustivity: Exhaustivity = .on,
        timeout: Duration = .seconds(10),
        onFailure fail: @escaping FailureHandler = { Issue.record("\($0)", sourceLocation: $1) }
    ) {
        self.init(
            initialState: initialState, reducer: reducer, environment: environment,
            persistence: .some(persistence), undo: undo, middleware: middleware,
            exhaustivity: exhaustivity, timeout: timeout, onFailure: fail)
    }

    private init(
        initialState: State, reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        persistence: (any Persistence<State>)?,
        undo: UndoHistory<State, Action>?,
        middleware: [Middleware<State, Action>],
        exhaustivity: Exhaustivity,
        timeout: Duration,
        onFailure fail: @escaping FailureHandler
    ) {
        let inbox = Inbox<Action>()
        self.inbox = inbox
        self.fail = fail
        self.exhaustivity = exhaustivity
        self.timeout = timeout
        store = Store(
            initialState: initialState,
            reducer: Reduce { state, action, environment in
                reducer.reduce(state: &state, action: action, environment: environment)
                    .map { inbox.collecting($0, of: action) }
            },
            environment: environment, persistence: persistence, undo: undo, middleware: middleware,
            now: { .now })
    }

    /// Creates a store under test that adopts reports of storage. `arrived` turns an `Arrival` into
    /// an action when the test receives it.
    package convenience init<Changes>(
        initialState: State, reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        persistence: PersistencePipeline<State, Changes>,
        arrived: @escaping @MainActor (Arrival<Changes>) -> Action,
        undo: UndoHistory<State, Action>? = nil,
        middleware: [Middleware<State, Action>] = [],
        exhaustivity: Exhaustivity = .on,
        timeout: Duration = .seconds(10),
        onFailure fail: @escaping FailureHandler = { Issue.record("\($0)", sourceLocation: $1) }
    ) {
        self.init(
            initialState: initialState, reducer: reducer, environment: environment,
            persistence: .some(persistence), undo: undo, middleware: middleware,
            exhaustivity: exhaustivity, timeout: timeout, onFailure: fail)
        hasOtherSenders = true
        store.takeArrivals(of: persistence, onArrival: { [inbox] in inbox.append(nil) }) {
            [weak self] in
            let action = arrived($0)
            self?.lastArrival = action
            return action
        }
    }

    deinit {
        guard exhaustivity == .on, let lastLocation, inbox.isUnfinished.withLock({ $0 }) else {
            return
        }
        fail(
            "The test ended without `await store.finish()`, so actions that were not received and"
                + " effects that are running would go unnoticed.", lastLocation)
    }

    /// The state after the last action.
    public var state: State { store.state }

    /// A dispatcher for code outside the store, such as the `onStatus` of a pipeline. Its actions
    /// wait until the test receives them.
    public var dispatcher: Dispatcher<Action> {
        hasOtherSenders = true
        return Dispatcher { [weak inbox] in inbox?.append($0) }
    }

    /// Sends an action as a user does, and checks how it changes the state. `change` must turn the
    /// state before into the state after; see ``Exhaustivity``.
    public func send(
        _ action: Action, expecting change: (inout State) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        lastLocation = sourceLocation
        if exhaustivity == .on, !inbox.actions.isEmpty {
            fail(
                "Before \(action) is sent, the test has to receive \(waitingItems).", sourceLocation
            )
        }
        let before = state
        store.send(action)
        check(action, before, change, sourceLocation)
    }

    /// Waits for the next action of an effect or of storage, which `isExpected` must accept, and
    /// checks how it changes the state.
    ///
    /// Fails if no running effect could send one, or after ``timeout`` without an event.
    public func receive(
        _ isExpected: (Action) -> Bool, expecting change: (inout State) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        lastLocation = sourceLocation
        while await hasNext() {
            let before = state
            guard let action = takeNext() else { continue }
            if !isExpected(action) {
                if exhaustivity == .off { continue }
                fail("Another action was received: \(action)", sourceLocation)
            }
            return check(action, before, change, sourceLocation)
        }
        fail("No action was received \(reasonToGiveUp)", sourceLocation)
    }

    /// Waits for `action`, and checks how it changes the state.
    ///
    /// Fails if no running effect could send it, or after ``timeout`` without an event.
    public func receive(
        _ action: Action, expecting change: (inout State) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async where Action: Equatable {
        await receive({ $0 == action }, expecting: change, sourceLocation: sourceLocation)
    }

    /// Ends the test. Waits until every effect has ended, and fails if one is still running after
    /// ``timeout`` without an event, or if actions were not received.
    ///
    /// With ``Exhaustivity/off``, this function neither waits nor fails.
    public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
        defer { inbox.isUnfinished.withLock { $0 = false } }
        guard exhaustivity == .on else { return }
        while inbox.isRunning, await event() {}
        if inbox.isRunning {
            fail(
                "Effects are still running after \(timeout) without an event, of: \(effects)."
                    + " Advance their clock, send the action that cancels them, or set"
                    + " `exhaustivity` to `.off`.", sourceLocation)
        }
        if !inbox.actions.isEmpty {
            fail("The test has not received \(waitingItems).", sourceLocation)
        }
    }

    /// Waits for an event. Returns false if none comes within ``timeout``.
    private func event() async -> Bool {
        await inbox.progress.next(after: inbox.progress.events, within: timeout)
    }

    /// Waits as long as an action may come. Returns false if none does.
    private func hasNext() async -> Bool {
        while inbox.actions.isEmpty {
            guard inbox.isRunning || hasOtherSenders, await event() else { return false }
        }
        return true
    }

    /// Sends the next action to the store, and returns it. Returns nil for an arrival without news.
    private func takeNext() -> Action? {
        if let action = inbox.removeFirst() {
            store.send(action)
            return action
        }
        lastArrival = nil
        store.takeNextArrival()
        return lastArrival
    }

    private var effects: String { inbox.runningEffects.joined(separator: ", ") }

    private var waitingItems: String {
        inbox.actions.map { $0.map { "\($0)" } ?? "what storage has told" }
            .joined(separator: ", ")
    }

    private var reasonToGiveUp: String {
        if inbox.isRunning {
            return "within \(timeout). Effects are running, of: \(effects)."
                + " Advance the clock on which one sleeps."
        }
        guard hasOtherSenders else { return "and no effect is running that could send one." }
        let storage = store.persistence.map { " Storage: \($0.status.phase)." } ?? ""
        return "within \(timeout). No effect is running.\(storage)"
    }

    private func check(
        _ action: Action, _ before: State, _ change: (inout State) -> Void,
        _ location: SourceLocation
    ) {
        let actual = state
        var expected = exhaustivity == .on ? before : actual
        change(&expected)
        guard actual != expected else { return }
        fail(
            "The state is not as expected after \(action) (expected → actual):\n"
                + "\(StateDifference(ofUnequal: expected, actual))", location)
    }
}

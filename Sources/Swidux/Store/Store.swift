#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The owner of the state. All changes go through the store.
///
/// ```swift
/// let store = Store(initialState: AppState(), reducer: AppReducer(), environment: .live)
/// store.send(.items(.create))
/// ```
///
/// Actions are processed one at a time, first in, first out. An action that is sent during another
/// one, by a subscriber or by the pipeline's status, waits for its turn. For each action, in this
/// order: the reducer changes the state in place; undo records the changes; persistence drains
/// them; subscribers are called; the effect begins and runs to its first suspension. After that,
/// effects run concurrently. When the store is released, they are cancelled.
///
/// A report from storage, such as changes of other processes, is an `Arrival` in an action that
/// waits for its turn like any other.
///
/// Actions that endlessly cause each other are a loop, which is reported on the standard error.
@MainActor
public final class Store<State, Action: Sendable, Environment> {
    /// The state after the last action. Reading a part of it copies only that part.
    ///
    /// It cannot be read while it is changing, that is, by a reducer, by `classify` of an
    /// ``UndoHistory``, or by ``PersistencePipeline/onStatus``.
    public var state: State {
        _read {
            precondition(
                !isChanging,
                """
                The state of a Store was read while it is being changed. A reducer and `classify` \
                have it as an argument; `onStatus` and logs can send an action, which is taken next.
                """)
            yield current
        }
    }
    /// The environment of the reducers.
    package let environment: Environment
    /// The pipeline to storage, if there is one.
    package let persistence: (any Persistence<State>)?
    /// The history of steps for undo and redo, or `nil` if the store has none.
    public let undoHistory: UndoHistory<State, Action>?

    /// Called with a description of a chain of a thousand actions, each caused by the previous one.
    /// An action that the user sends begins a chain, however fast they type.
    ///
    /// If each action was sent while the previous one was handled, by a subscriber or `onStatus`,
    /// the chain is stopped: its last action is dropped. A chain through effects continues, because
    /// it may be work, such as loading one page after the other. It is reported once, if its
    /// thousand actions took less than a second. By default, the description is written to standard
    /// error.
    package var onLoop: (_ description: String) -> Void = { loop in
        let text = Array("Swidux: \(loop)\n".utf8)
        _ = write(STDERR_FILENO, text, text.count)
    }

    private let now: () -> ContinuousClock.Instant
    private let reduce: (inout State, Action, Environment) -> Effect<Action>?
    private let middleware: [Middleware<State, Action>]
    /// Returns the action for the pipeline's waiting report of storage, or nil if there is none.
    private var takeArrival: () -> Action? = { nil }
    private let registry = EffectRegistry()
    let streams = StreamRegistry()
    private var queue: [Waiting] = []
    /// The actions that are being handled. Actions sent meanwhile go into `queue`.
    private var batch: [Waiting] = []
    private var isWorking = false
    private var current: State
    private var isChanging = false
    /// The chain that ends in the current action.
    private var chain: CausalChain<Action>?
    /// The chains through effects that were reported, by their roots.
    private var loops: Set<UInt64> = []
    private var ordinal: UInt64 = 0
    private var subscribers: [Subscriber] = []
    /// The counter of the queued actions and running effects of the whole store.
    private let everything = DispatchScope()

    private struct Waiting {
        /// The action, or `nil` for a report of storage, which becomes an action at its turn.
        var action: Action?
        var chain: CausalChain<Action>?
        var scope: DispatchScope?
    }

    private struct Subscriber {
        weak var subscription: Subscription?
        weak var receiver: Receiver<State>?
    }

    /// Creates a store. The entities in `initialState` count as committed.
    ///
    /// - Parameters:
    ///   - initialState: the state before the first action.
    ///   - reducer: the function that changes the state.
    ///   - environment: the values that the reducer receives in addition to state and action.
    ///   - persistence: the pipeline to storage.
    ///   - undo: the history of this store, and of no other.
    ///   - middleware: the code around every action, the outermost first.
    public convenience init<Changes>(
        initialState: State,
        reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        persistence: PersistencePipeline<State, Changes>,
        undo: UndoHistory<State, Action>? = nil,
        middleware: [Middleware<State, Action>] = []
    ) {
        self.init(
            initialState: initialState, reducer: reducer, environment: environment,
            persistence: .some(persistence), undo: undo, middleware: middleware, now: { .now })
    }

    /// Creates a store that keeps everything only in memory.
    public convenience init(
        initialState: State,
        reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        undo: UndoHistory<State, Action>? = nil,
        middleware: [Middleware<State, Action>] = []
    ) {
        self.init(
            initialState: initialState, reducer: reducer, environment: environment,
            persistence: nil, undo: undo, middleware: middleware, now: { .now })
    }

    /// Creates a store that uses `now` to distinguish loops from slow chains of actions.
    package init(
        initialState: State,
        reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        persistence: (any Persistence<State>)? = nil,
        undo: UndoHistory<State, Action>? = nil,
        middleware: [Middleware<State, Action>] = [],
        now: @escaping @MainActor () -> ContinuousClock.Instant
    ) {
        current = initialState
        self.environment = environment
        self.persistence = persistence
        undoHistory = undo
        self.middleware = middleware
        self.now = now
        reduce = { state, action, environment in
            reducer.reduce(state: &state, action: action, environment: environment)
        }
        undo?.claim()
        persistence?.begin(with: &current)
    }

    /// Creates a store that adopts changes of other processes, and changes that storage made to a
    /// commit.
    ///
    /// `arrived` creates an action from them. The reducer must adopt the changes; see ``Arrival``.
    /// The other parameters are those of
    /// ``init(initialState:reducer:environment:persistence:undo:middleware:now:)``.
    package convenience init<Changes>(
        initialState: State,
        reducer: some SwiduxReducer<State, Action, Action, Environment>,
        environment: Environment,
        persistence: PersistencePipeline<State, Changes>,
        arrived: @escaping @MainActor (Arrival<Changes>) -> Action,
        undo: UndoHistory<State, Action>? = nil,
        middleware: [Middleware<State, Action>] = [],
        now: @escaping @MainActor () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(
            initialState: initialState, reducer: reducer, environment: environment,
            persistence: persistence, undo: undo, middleware: middleware, now: now)
        takeArrivals(
            of: persistence, onArrival: { [weak self] in self?.takeNextArrival() }, arrived)
    }

    deinit {
        registry.close()
        streams.close()
    }

    /// Sends an action. The action is handled before `send` returns. If another action is being
    /// handled, this one is queued instead.
    public func send(_ action: Action) { take(action, from: nil, for: nil) }

    /// Sends an action like ``send(_:)``. The task ends when the action's effect has ended,
    /// together with all effects of the actions that it sent, and so on.
    @discardableResult
    public func dispatch(_ action: Action) -> Task<Void, Never> {
        let scope = DispatchScope()
        take(action, from: nil, for: scope)
        return Task { await scope.ended() }
    }

    /// Starts work in several steps that reads the state between them and sends any number of
    /// actions. The task ends when `plan` and the effects of its actions have ended. If the store
    /// is released, `plan` is cancelled.
    ///
    /// ```swift
    /// store.run { state, send in
    ///     send(.items(.create))
    ///     guard let id = state()?.items.last?.id else { return }
    ///     await upload(id)
    ///     send(.items(.uploaded(id)))
    /// }
    /// ```
    @discardableResult
    public func run(
        _ plan:
            @escaping @MainActor @Sendable (
                _ state: @MainActor () -> State?, _ send: @escaping Send<Action>
            ) async -> Void
    ) -> Task<Void, Never> {
        let scope = DispatchScope()
        ordinal += 1
        start({ [weak self] send in await plan({ self?.state }, send) }, for: scope)
        return Task { await scope.ended() }
    }

    /// A dispatcher that sends actions to this store without retaining it.
    public var dispatcher: Dispatcher<Action> {
        Dispatcher { [weak self] action in self?.send(action) }
    }

    /// Receives the arrivals of a pipeline in the form of the actions that `arrived` makes of them.
    /// `onArrival` is called when an arrival is waiting. It, or later code, must call
    /// ``takeNextArrival()``.
    package func takeArrivals<Changes>(
        of persistence: PersistencePipeline<State, Changes>,
        onArrival: @escaping @MainActor () -> Void,
        _ arrived: @escaping @MainActor (Arrival<Changes>) -> Action
    ) {
        takeArrival = { persistence.takeArrival().map(arrived) }
        persistence.onArrival = onArrival
    }

    /// Queues the waiting arrival, if there is one, as the next action.
    package func takeNextArrival() { enqueue(Waiting()) }

    func subscription(
        oncePerTurn: Bool, _ body: @escaping @MainActor (State) -> Void
    ) -> Subscription {
        let receiver = Receiver(body)
        let subscription = Subscription(oncePerTurn: oncePerTurn, receiver) {
            [weak self, weak receiver] in
            guard let self, let receiver else { return }
            receiver.body(state)
        }
        subscribers.append(Subscriber(subscription: subscription, receiver: receiver))
        if oncePerTurn { subscription.schedule() } else { body(state) }
        return subscription
    }

    // MARK: Saving

    /// The status of the pending, committed and failing changes. Without persistence, everything
    /// counts as saved.
    public var saveStatus: PersistenceStatus { persistence?.status ?? PersistenceStatus() }

    /// Writes all changes at once, and returns when they are committed or the commit has failed,
    /// which ``saveStatus`` shows. See ``PersistencePipeline/flush()``.
    public func flush() async { await persistence?.flush() }

    /// Writes all changes like ``flush()``, but blocks the thread until they are committed or the
    /// commit has failed. Use it where the program ends and cannot await, for example before
    /// `exit`. Returns true if everything is saved.
    ///
    /// The function gives up after `limit`. A commit that needs the main actor cannot end before
    /// that.
    @discardableResult
    public func flushNow(within limit: Duration = .seconds(10)) -> Bool {
        persistence?.flushNow(within: limit) ?? true
    }

    // MARK: Waiting

    /// Returns when no action is waiting and no effect is running. An effect or a plan of this
    /// store must not call this function, because it would wait for itself.
    public func settled() async {
        precondition(
            EffectContext.current?.registry !== registry,
            "settled() waits for all effects, so an effect or a plan that calls it waits for itself."
        )
        await everything.ended()
    }

    // MARK: Working

    private func take(
        _ action: Action, from cause: CausalChain<Action>?, for scope: DispatchScope?
    ) {
        var chain = cause
        if cause != nil || isWorking {
            // An action that is sent during another one is caused by that one.
            var longer = cause ?? self.chain ?? CausalChain(root: ordinal, at: now())
            let found = longer.add(action, isNested: cause == nil, at: now())
            if let (loop, isStopped) = found {
                // Branches of one chain share its root, so a loop is reported only once.
                if isStopped || loops.insert(longer.root).inserted { onLoop(loop) }
                if isStopped { return }
            }
            chain = longer
        }
        enqueue(Waiting(action: action, chain: chain, scope: scope))
    }

    private func enqueue(_ next: Waiting) {
        everything.enter()
        next.scope?.enter()
        queue.append(next)
        guard !isWorking else { return }
        workOffQueue()
    }

    private func workOffQueue() {
        isWorking = true
        defer { isWorking = false }
        while !queue.isEmpty {
            swap(&queue, &batch)
            for index in batch.indices {
                let next = batch[index]
                self.chain = next.chain
                // An arrival must fit the state, so the rest of a tied undo is applied and drained
                // first.
                if next.action == nil, let undoHistory, change({ undoHistory.finishTied(&$0) }) {
                    drain()
                }
                if let action = next.action {
                    work(on: action, for: next.scope)
                } else if let action = takeArrival() {
                    takeIn(action)
                }
                self.chain = nil
                next.scope?.leave()
                everything.leave()
            }
            // Releasing an action may send another one, which goes into the queue.
            batch.removeAll(keepingCapacity: true)
        }
    }

    /// Applies an arrival, then reverts the undo steps that, according to it, storage has refused.
    private func takeIn(_ arrival: Action) {
        guard let undo = undoHistory, let persistence else { return work(on: arrival, for: nil) }
        undo.arrivalBegins(state, settled: persistence.settledFlush)
        work(on: arrival, for: nil)
        let reports = change { undo.revertRefused(in: &$0) }
        guard !reports.isEmpty else { return }
        guard let action = undo.report else {
            drain()
            return tellSubscribers()
        }
        for report in reports { work(on: action(report), for: nil) }
    }

    private func work(on action: Action, for scope: DispatchScope?) {
        ordinal += 1
        let effect = middleware.isEmpty ? reduce(action) : pass(action, to: 0)
        drain()
        tellSubscribers()
        if let effect { start(effect, for: scope) }
    }

    private func drain() {
        guard let persistence else { return }
        change { persistence.afterReduce(state: &$0) }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        isChanging = true
        defer { isChanging = false }
        return body(&current)
    }

    /// Passes `action` to the middleware at `index`, its result to the next one, and finally to the
    /// reducer.
    private func pass(_ action: Action, to index: Int) -> Effect<Action>? {
        guard index < middleware.count else { return reduce(action) }
        var effect: Effect<Action>?
        middleware[index].handle(action, { state }) { next in
            effect = Effects.merge(effect, pass(next, to: index + 1))
        }
        return effect
    }

    private func reduce(_ action: Action) -> Effect<Action>? {
        change { state in
            guard let undoHistory else { return reduce(&state, action, environment) }
            return reduce(&state, action, undoHistory)
        }
    }

    private func reduce(
        _ state: inout State, _ action: Action, _ undo: UndoHistory<State, Action>
    ) -> Effect<Action>? {
        let role = undo.role(of: action, in: &state)
        switch role.kind {
        case .undo, .redo:
            let report = undo.apply(
                isRedo: role == .redo, to: &state, flush: persistence?.nextFlush)
            return reduce(&state, undo.action(after: action, report), environment)
        case .continuation:
            guard let report = undo.applyNextPart(to: &state) else {
                return reduce(&state, action, environment)
            }
            return reduce(&state, undo.action(after: action, report), environment)
        case .command(let name, let coalesces, let part):
            undo.begin(&state)
            let effect = reduce(&state, action, environment)
            undo.end(&state, name: name, coalesces: coalesces, part: part)
            return effect
        case .ignored:
            return reduce(&state, action, environment)
        }
    }

    private func tellSubscribers() {
        guard !subscribers.isEmpty else { return }
        subscribers.removeAll { $0.subscription == nil }
        // All subscribers share one copy, because separate copies would be most of the cost of a
        // hundred subscribers.
        let state = state
        for subscriber in subscribers {
            guard let subscription = subscriber.subscription, let receiver = subscriber.receiver
            else { continue }
            if subscription.oncePerTurn {
                subscription.schedule()
            } else {
                receiver.body(state)
            }
        }
    }

    private func start(_ effect: @escaping Effect<Action>, for scope: DispatchScope?) {
        let ordinal = ordinal
        let registry = registry
        let everything = everything
        everything.enter()
        scope?.enter()
        let chain = chain ?? CausalChain(root: ordinal, at: now())
        let send: Send<Action> = { [weak self] action in self?.take(action, from: chain, for: scope)
        }
        let context = EffectContext(registry: registry, ordinal: ordinal)
        registry.begin(ordinal)
        let task = Task.immediate {
            await EffectContext.$current.withValue(context) { await effect(send) }
            registry.end(ordinal)
            scope?.leave()
            everything.leave()
        }
        registry.keep(task, of: ordinal)
    }
}

/// Saves what actions change, in the background and without losing anything.
///
/// After every action the changes of the entity stores are drained into a buffer with one operation
/// for each id. A timer hands the buffer to storage: `debounce` after the last change, but no later
/// than `maxDelay` after the first. One flush is in flight at any time, in a task that nothing
/// cancels. A batch that fails becomes pending again, under newer changes, and is retried after
/// 0.25 s, doubling up to 30 s.
///
/// While a flush is due, it outlives its owner: a store that is released loses nothing. Before the
/// process ends, await ``flush()``.
@MainActor
public final class PersistenceMiddleware<State> {
    /// What is pending, in flight, committed or failing. ``onStatus`` reports changes of it.
    public internal(set) var status = PersistenceStatus()

    /// Called after every change of ``status``, except when only its counter of actions changed.
    ///
    /// It may be called from within ``afterReduce(state:)``, while the state belongs to the store:
    /// it must not read the store's state, but it may send, since a ``Store`` lets that action wait
    /// its turn.
    public var onStatus: ((PersistenceStatus) -> Void)?

    /// Called when something has arrived: the ``Store`` then asks for it when its turn among the
    /// actions has come.
    var onArrival: (() -> Void)?

    let pipe: PersistencePipe<State>
    let now: () -> ContinuousClock.Instant
    let timer: any DebounceTimer
    let describe: (any Error) -> String

    /// What decides.
    var pipeline: PipelineState
    /// The one write or fetch that storage is busy with.
    var flight: Task<Void, Never>?
    /// What has arrived and waits for its turn.
    var parcel: PersistencePipe<State>.Parcel?
    /// Whether what the action that is being worked on takes in has changed what waits; nil if it
    /// takes nothing in.
    private var hasMoved: Bool?
    /// The number of flushes that have begun.
    var flushes = 0
    /// The last flush that was committed, and the last one about which storage has told everything.
    var (landedFlush, settledFlush) = (0, 0)
    /// The number of the flush that will commit the current changes.
    var nextFlush: Int { flushes + 1 }
    /// What the timer is set to.
    var scheduled: ContinuousClock.Instant?
    /// What was told of ``status`` last.
    var published = PersistenceStatus()

    private init(pipe: PersistencePipe<State>, options: PersistenceOptions) {
        self.pipe = pipe
        now = options.now
        timer = options.timer ?? DispatchDebounceTimer()
        describe = options.describe
        pipeline = PipelineState(
            debounce: options.debounce, maxDelay: options.maxDelay,
            waitsForHydration: options.waitsForHydration, canFetch: pipe.fetch != nil)
    }

    /// A pipeline to closures, one for each store; see ``StateWriter`` for the order and for what
    /// it cannot promise. A `debounce` goes before that of `options`.
    public convenience init(
        writers: [StateWriter<State>],
        debounce: Duration? = nil,
        options: PersistenceOptions = PersistenceOptions()
    ) {
        var options = options
        if let debounce { options.debounce = debounce }
        self.init(pipe: PersistencePipe(writers), options: options)
    }

    /// A pipeline that hands storage one value with all changes of all stores, once a flush.
    ///
    /// For storage that nobody else writes to, and that stores what it is given: of the result of a
    /// commit only ``CommitResult/refused`` is looked at.
    ///
    /// - Parameters:
    ///   - writers: one for each store; what others refer to comes first.
    ///   - empty: a value without changes.
    ///   - options: delays, clock and wording of errors.
    ///   - log: what preserves uncommitted changes if the process ends suddenly; nil keeps them in
    ///     memory alone.
    ///   - commit: makes all of it durable, or throws and has committed nothing; called in a task
    ///     that is never cancelled, and never twice at a time.
    public convenience init<Changes: Sendable>(
        writers: [BatchWriter<State, Changes>],
        empty: @escaping @MainActor () -> Changes,
        options: PersistenceOptions = PersistenceOptions(),
        log: (any IntentLog<Changes>)? = nil,
        commit: @escaping @Sendable (Changes) async throws -> CommitResult<Changes>
    ) {
        var pipe = PersistencePipe(writers, empty: empty, commit: commit)
        if let log { pipe.keep(log, of: writers, empty: empty) }
        self.init(pipe: pipe, options: options)
    }

    /// The same for storage that others also write to, or that may store something other than it is
    /// given. What storage holds differently becomes an action.
    ///
    /// - Parameters:
    ///   - writers: one for each store; what others refer to comes first.
    ///   - empty: a value without changes.
    ///   - options: delays, clock and wording of errors.
    ///   - log: what preserves uncommitted changes if the process ends suddenly; nil keeps them in
    ///     memory alone.
    ///   - commit: makes all of it durable, or throws and has committed nothing; called in a task
    ///     that is never cancelled, and never twice at a time.
    ///   - fetch: what others have committed since the last call; see ``fetchNow()``. Never
    ///     called while a commit is in flight.
    ///   - arrived: the action that takes it in. It must be an action of the ``Store`` that the
    ///     pipeline serves, whose reducer must adopt what it brings; see ``Arrival``.
    public convenience init<Changes: Sendable, Action: Sendable>(
        writers: [BatchWriter<State, Changes>],
        empty: @escaping @MainActor () -> Changes,
        options: PersistenceOptions = PersistenceOptions(),
        log: (any IntentLog<Changes>)? = nil,
        commit: @escaping @Sendable (Changes) async throws -> CommitResult<Changes>,
        fetch: @escaping @MainActor @Sendable () async throws -> FetchedChanges<Changes>,
        arrived: @escaping @MainActor (Arrival<Changes>) -> Action
    ) {
        var pipe = PersistencePipe(
            writers, empty: empty, commit: commit, fetch: fetch, arrived: arrived)
        if let log { pipe.keep(log, of: writers, empty: empty) }
        self.init(pipe: pipe, options: options)
    }

    /// Takes the stores as they are in `state` for committed.
    func begin(with state: inout State) {
        for buffer in pipe.buffers { buffer.begin(with: &state) }
        _ = endLoading(of: state)
    }

    /// Begins to write and to fetch, if that waited for the end of loading and `state` has it all.
    private func endLoading(of state: State) -> Bool {
        guard pipeline.isLoading, pipe.buffers.allSatisfy({ $0.isHydrated(state) }) else {
            return false
        }
        pipeline.loadingEnded()
        return true
    }

    /// Whether what arrives can be handed to a store of `Action`.
    func serves<Action>(_ type: Action.Type) -> Bool {
        pipe.actionType.map { $0 == type } ?? true
    }

    /// What has arrived, brought together with the changes that wait here, as the action that the
    /// application makes of it: to be reduced right away. Nil if nothing of it is to be seen.
    /// O(rows × log n).
    func takeArrival<Action>(as type: Action.Type) -> Action? {
        guard let parcel else { return nil }
        self.parcel = nil
        let contents = parcel()
        status.counters.conflicts += contents.conflicts
        if let action = contents.action as? Action {
            status.counters.adoptions += 1
            hasMoved = contents.hasMoved
            return action
        }
        tookIn(hasMoved: contents.hasMoved)
        advance(at: now())
        publish()
        return nil
    }

    func tookIn(hasMoved: Bool) {
        if pipeline.tookIn(hasPending: pendingCount > 0) { status.failure = nil }
        if hasMoved { log(anew: true) }
    }

    /// Drains what an action changed, and sees to it that it is written in time. O(changes).
    public func afterReduce(state: inout State) {
        status.counters.actions += 1
        let (wasHeld, isHeld) = (pipeline.isHeld, holds(state))
        if isHeld, !wasHeld {
            pipeline.hold(true)
            pipe.beginGroup()
        }
        let hasChanged = takeChanges(of: &state)
        if wasHeld, !isHeld {
            pipeline.hold(false)
            endGroup()
        }
        let hasLoaded = endLoading(of: state)
        guard hasChanged || wasHeld != isHeld || hasLoaded else { return }
        advance(at: now())
        publish()
    }

    /// Returns whether there were any, or what arrived had its turn.
    private func takeChanges(of state: inout State) -> Bool {
        var changes = 0
        for buffer in pipe.buffers {
            let tally = buffer.drain(&state)
            changes += tally.changes
            status.counters.coalesced += tally.coalesced
        }
        guard changes > 0 || hasMoved != nil else { return false }
        if changes > 0 {
            status.counters.changes += changes
            pipeline.changed(at: now())
        }
        if let hasMoved {
            self.hasMoved = nil
            tookIn(hasMoved: hasMoved)
            if !hasMoved, changes > 0 { log() }
        } else {
            log()
        }
        return true
    }

    // MARK: What is asked of it

    /// Waits for the flush in flight, then writes the rest at once, a failed batch included, and
    /// returns when all of that is committed or has failed: ``status`` says which. Nothing is
    /// written while it is held, nor before the end of a loading that is waited for.
    ///
    /// Cancelling the task that calls it changes nothing.
    public func flush() async {
        if pipeline.isCommitting, let flight { await flight.value }
        // A fetch is waited for only by those who need its place.
        while pipeline.flight == .fetch, isDue, let flight { await flight.value }
        // Whoever else waited for that flight may have begun the next one, which then has
        // everything.
        if !pipeline.isCommitting { hurry() }
        if pipeline.isCommitting, let flight { await flight.value }
    }

    /// Begins a flush at once, whatever the timer and the backoff say. If one is in flight, the
    /// rest follows it.
    func hurry() {
        pipeline.hurry(at: now())
        advance(at: now())
        publish()
    }

    /// Reports that storage has failed outside a commit. A commit follows even if nothing is
    /// pending, and is retried while it fails: at once, or as soon as what is in flight has ended
    /// or the pause after a failure is over.
    public func commitIsOwed() {
        pipeline.owe(at: now())
        advance(at: now())
        publish()
    }

    /// Whether storage can only be read: what is pending waits until it can be written to.
    public var isReadOnly = false {
        didSet {
            guard oldValue != isReadOnly else { return }
            pipeline.setReadOnly(isReadOnly)
            // The log had nothing to say meanwhile.
            if !isReadOnly, pendingCount > 0 { log(anew: true) }
            advance(at: now())
            publish()
        }
    }

    /// Whether, in a state, a command that takes several actions is still running. Its changes are
    /// one transaction, so no commit begins meanwhile, and one record of the log: if the process
    /// ends before the last action, nothing of the command is left.
    public var holds: @MainActor (State) -> Bool = { _ in false }

    /// Fetches what other processes have committed, as soon as nothing is in flight; call it
    /// when storage reports a change. A commit that turns out to be behind does the same, and so
    /// does the end of loading, before which nothing is fetched.
    ///
    /// What was fetched becomes an action of the ``Store``, which takes it in under pending
    /// changes; if nothing of it is new, nothing happens. A fetch that fails is silent: the next
    /// one, or the next commit, makes up for it. After a failed commit, a fetch that succeeds ends
    /// the pause before the next try.
    public func fetchNow() {
        pipeline.noticed(at: now())
        advance(at: now())
    }

    /// Whether the entity with this id is saved. O(number of writers).
    public func saveState(of id: some Hashable & Sendable) -> EntitySaveState {
        let id = AnyID(id)
        for buffer in pipe.buffers {
            let state = buffer.saveState(of: id)
            if state != .committed { return state }
        }
        return .committed
    }

    var pendingCount: Int {
        var count = 0
        for buffer in pipe.buffers { count += buffer.pendingCount }
        return count
    }

    var isDue: Bool { pipeline.isOwing || pendingCount > 0 }
}

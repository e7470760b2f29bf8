/// The part of an application that saves the changes of actions in the background, without losing
/// any.
///
/// After every action, the pipeline drains the changes of the entity stores into a buffer, which
/// has one change per entity. A timer hands the buffer to storage: `debounce` after the last
/// change, but no later than `maxDelay` after the first. At most one flush is in flight at any
/// time, in a task that is never cancelled. A batch that fails becomes pending again, before newer
/// changes. It is retried after 0.25 s, a delay that doubles up to 30 s.
///
/// While a flush is due, the pipeline outlives its owner, so releasing a store loses nothing.
/// Before the process ends, await ``flush()``.
@MainActor
public final class PersistencePipeline<State, Changes: Sendable>: Persistence {
    typealias Commit = @Sendable (Changes) async throws -> CommitResult<Changes>
    typealias CommitTask = Task<CommitResult<Changes>, any Error>
    /// Reads the changes of other processes. `known` returns the rows that storage is known to
    /// have, in the form of upserts: the rows of the state without waiting changes. It takes O(n),
    /// and is for storage that cannot report deleted rows.
    package typealias Fetch =
        @MainActor @Sendable (_ known: @escaping @MainActor @Sendable () -> Changes) async throws ->
        FetchedChanges<Changes>

    /// The changes that are pending, in flight, committed or failing. ``onStatus`` is called when
    /// the status changes.
    public internal(set) var status = PersistenceStatus()

    /// Called after every change of ``status``, except when only its counter of actions changed.
    ///
    /// It may be called from within ``afterReduce(state:)``, which has exclusive access to the
    /// state. So the closure must not read the store's state. It may send actions, because a
    /// ``Store`` queues them.
    public var onStatus: ((PersistenceStatus) -> Void)?

    /// Called with the result of every commit, before the pipeline handles it.
    package var onCommit: ((Result<CommitResult<Changes>, any Error>) -> Void)?

    /// Called with the result of every fetch, before the pipeline handles it.
    package var onFetch: ((Result<FetchedChanges<Changes>, any Error>) -> Void)?

    /// Called when there is an arrival. The ``Store`` then takes it when its turn among the actions
    /// has come. Nil if no store takes arrivals.
    var onArrival: (() -> Void)?

    let commit: Commit
    let fetch: Fetch?
    let intents: (any IntentLog<Changes>)?
    let now: () -> ContinuousClock.Instant
    let timer: any DebounceTimer
    let describe: (any Error) -> String

    var buffer: ChangeBuffer<State, Changes>
    /// The state machine that decides the next step.
    var pipeline: PipelineState
    /// The commit or fetch in flight, until its result is handled.
    var flight: Task<Void, Never>?
    /// The commit in flight, or nil if there is none.
    var committing: (start: ContinuousClock.Instant, work: CommitTask)?
    /// The report of storage that waits for its turn: rows of other processes, or the differences
    /// between a commit and its result. `confirmed` are changes that storage has made although
    /// their commit seemed to fail.
    var waitingReport: (arrival: Arrival<Changes>, confirmed: Changes?)?
    /// True if the arrival that the current action adopts has altered pending changes. Nil if the
    /// action adopts no arrival.
    private var isAltered: Bool?
    /// True once a store uses this pipeline.
    private var hasBegun = false
    /// The number of flushes that have begun.
    var flushes = 0
    /// The number of the last flush that was committed.
    var committedFlush = 0
    /// The number of the last committed flush whose results are all in the state.
    package internal(set) var settledFlush = 0
    /// The number of the flush that will commit the current changes.
    package var nextFlush: Int { flushes + 1 }
    /// The time to which the timer is set, or nil.
    var scheduled: ContinuousClock.Instant?
    /// The last ``status`` that was reported.
    var published = PersistenceStatus()

    /// Creates a pipeline that hands all changes of all stores to storage in one value per flush.
    ///
    /// - Parameters:
    ///   - writers: one for each store. A store that other stores refer to comes before them.
    ///   - empty: returns a value without changes.
    ///   - options: delays, clock and wording of errors.
    ///   - commit: makes all of it durable, or throws and has committed nothing; called in a task
    ///     that is never cancelled, and never twice at a time.
    public convenience init(
        writers: [BatchWriter<State, Changes>],
        empty: @escaping @MainActor () -> Changes,
        options: PersistenceOptions = PersistenceOptions(),
        commit: @escaping @Sendable (Changes) async throws -> CommitResult<Changes>
    ) {
        self.init(writers: writers, empty: empty, options: options, log: nil, commit: commit)
    }

    /// Creates a pipeline with a log, or to storage that other processes also write to.
    ///
    /// A ``Store`` that can turn an ``Arrival`` into an action adopts changes of other processes,
    /// and changes that storage made to a commit. Any other store uses only the
    /// ``CommitResult/refused`` changes of a commit's result.
    ///
    /// - Parameters:
    ///   - writers: one for each store. A store that other stores refer to comes before them.
    ///   - empty: a value without changes.
    ///   - options: delays, clock and wording of errors.
    ///   - log: preserves uncommitted changes if the process ends suddenly; nil keeps them only in
    ///     memory.
    ///   - commit: makes all of it durable, or throws and has committed nothing; called in a task
    ///     that is never cancelled, and never twice at a time.
    ///   - fetch: returns the changes of other processes since the last call, if storage is shared;
    ///     see ``fetchNow()``. Never called while a commit is in flight. It needs a store that
    ///     adopts arrivals.
    package init(
        writers: [BatchWriter<State, Changes>],
        empty: @escaping @MainActor () -> Changes,
        options: PersistenceOptions = PersistenceOptions(),
        log: (any IntentLog<Changes>)? = nil,
        commit: @escaping @Sendable (Changes) async throws -> CommitResult<Changes>,
        fetch: Fetch? = nil
    ) {
        buffer = ChangeBuffer(writers, empty: empty)
        self.commit = commit
        self.fetch = fetch
        intents = log
        now = options.now
        timer = options.makeTimer()
        describe = options.describe
        pipeline = PipelineState(
            debounce: options.debounce, maxDelay: options.maxDelay,
            waitsForHydration: options.waitsForHydration, canFetch: fetch != nil)
    }

    /// Treats the present content of the stores in `state` as committed.
    package func begin(with state: inout State) {
        precondition(!hasBegun, "This pipeline saves the state of another store already.")
        hasBegun = true
        buffer.begin(with: &state)
        _ = endLoading(of: state)
    }

    /// Allows commits and fetches if they waited for the end of loading and `state` is now
    /// completely loaded. Returns true if this call allowed them.
    private func endLoading(of state: State) -> Bool {
        guard pipeline.isLoading, buffer.isHydrated(state) else { return false }
        pipeline.loadingEnded()
        return true
    }

    /// Returns the waiting report of storage, merged with the pending changes. The store must
    /// reduce it at once. Nil if it would not change the state. O(rows × log n).
    func takeArrival() -> Arrival<Changes>? {
        guard let report = waitingReport else { return nil }
        waitingReport = nil
        let isConfirmed = report.confirmed.map { buffer.confirm($0) } ?? false
        var arrival = report.arrival
        let rebase = buffer.rebase(onto: &arrival)
        status.counters.conflicts += arrival.conflicts.count
        let isAltered = isConfirmed || rebase.isAltered
        if rebase.shown == 0, arrival.conflicts.isEmpty, arrival.substitutes.isEmpty {
            arrivalAdopted(isAltered: isAltered)
            advance(at: now())
            publish()
            return nil
        }
        status.counters.adoptions += 1
        self.isAltered = isAltered
        return arrival
    }

    private func arrivalAdopted(isAltered: Bool) {
        if pipeline.arrivalAdopted(hasPending: buffer.pendingCount > 0) { status.failure = nil }
        if isAltered { updateLog(rewriting: true) }
    }

    /// Drains the changes of an action and sets the timer of their flush. O(changes).
    public func afterReduce(state: inout State) {
        status.counters.actions += 1
        let (wasHeld, isHeld) = (pipeline.isHeld, isMidCommand(state))
        if isHeld, !wasHeld {
            pipeline.hold(true)
            intents?.groupBegan()
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

    /// Drains the changes of an action into the buffer and the log. Returns true if there were
    /// changes, or if the action adopted an arrival.
    private func takeChanges(of state: inout State) -> Bool {
        let (changes, coalesced) = buffer.drain(&state)
        guard changes > 0 || isAltered != nil else { return false }
        if changes > 0 {
            status.counters.changes += changes
            status.counters.coalesced += coalesced
            pipeline.changed(at: now())
        }
        if let isAltered {
            self.isAltered = nil
            arrivalAdopted(isAltered: isAltered)
            if !isAltered, changes > 0 { updateLog() }
        } else {
            updateLog()
        }
        return true
    }

    // MARK: Requests

    /// Waits for the flush in flight, then writes all other changes at once, including those of a
    /// failed batch. Returns when they are committed or the commit has failed, which ``status``
    /// shows. Nothing is written in the middle of a command, or before the end of loading if the
    /// pipeline waits for it.
    ///
    /// Cancelling the calling task has no effect. A commit or a fetch of this pipeline must not
    /// call this function.
    public func flush() async {
        checkCaller()
        if pipeline.isCommitting, let flight { await flight.value }
        // A fetch in flight delays only a caller with changes to write.
        while pipeline.flight == .fetch, isDue, let flight { await flight.value }
        // Another task that waited for the same flight may have begun the next one, which then
        // contains all changes.
        if !pipeline.isCommitting { hurry() }
        if pipeline.isCommitting, let flight { await flight.value }
    }

    /// Writes all changes at once like ``flush()``, but blocks the thread until they are committed
    /// or the commit has failed. Use it where the program ends and cannot await, for example before
    /// `exit`. Returns true if everything is saved.
    ///
    /// The function gives up after `limit`. A commit that needs the main actor cannot end before
    /// that. Nothing is written while a fetch is in flight. A commit or a fetch of this pipeline
    /// must not call this function.
    @discardableResult
    package func flushNow(within limit: Duration = .seconds(10)) -> Bool {
        checkCaller()
        let end = ContinuousClock.now + limit
        if let work = committing?.work, !finish(work, until: end) { return false }
        if !pipeline.isCommitting { hurry() }
        if let work = committing?.work, !finish(work, until: end) { return false }
        return status.phase == .saved
    }

    private func finish(_ work: CommitTask, until end: ContinuousClock.Instant) -> Bool {
        guard let result = work.wait(for: end - .now) else { return false }
        ended(flushes, result)
        return true
    }

    private func checkCaller() {
        precondition(
            flyingPipeline != ObjectIdentifier(self),
            "flush() waits for the commit, so a commit or a fetch that calls it waits for itself.")
    }

    /// Begins a flush at once, without waiting for the timer or the backoff. If an operation is in
    /// flight, the flush follows it.
    func hurry() {
        pipeline.hurry(at: now())
        advance(at: now())
        publish()
    }

    /// Reports that storage has failed outside a commit. A commit follows, even if nothing is
    /// pending: at once, or after the operation in flight or the pause after a failure. It is
    /// retried until it succeeds.
    package func requireCommit() {
        pipeline.requireCommit(at: now())
        advance(at: now())
        publish()
    }

    /// True if storage can only be read. Pending changes wait until it can be written to.
    package var isReadOnly = false {
        didSet {
            guard oldValue != isReadOnly else { return }
            pipeline.setReadOnly(isReadOnly)
            // The log did not receive the changes made meanwhile.
            if !isReadOnly, buffer.pendingCount > 0 { updateLog(rewriting: true) }
            advance(at: now())
            publish()
        }
    }

    /// Returns true if a command of several actions is still running in a state. Its changes are
    /// one transaction, so no commit begins meanwhile. They are also one group in the log: if the
    /// process ends before the last action, none of them is recovered.
    package var isMidCommand: @MainActor (State) -> Bool = { _ in false }

    /// Fetches the changes that other processes have committed, as soon as no operation is in
    /// flight. Call it when storage reports a change. The pipeline also fetches by itself after a
    /// commit whose result is behind, and at the end of loading. Nothing is fetched before that
    /// end.
    ///
    /// Fetched changes become an action of the ``Store``, which adopts them and keeps pending
    /// changes. If none of them is new, nothing happens. A failed fetch is not reported, because
    /// the next fetch or commit makes up for it. After a failed commit, a successful fetch ends the
    /// pause before the next attempt.
    package func fetchNow() {
        pipeline.storageMayHaveChanged(at: now())
        advance(at: now())
    }

    /// Fetches like ``fetchNow()``, and returns when the fetch has succeeded or failed. Fetches
    /// nothing before the end of loading, and waits only for the first part of a long result.
    package func fetchOnce() async {
        checkCaller()
        // The fetch in flight may have read storage before the change that the caller looks for.
        if pipeline.flight == .fetch, let flight { await flight.value }
        fetchNow()
        if pipeline.flight == .fetch, let flight { await flight.value }
    }

    /// Returns how far the entity with this id is saved. O(number of writers).
    ///
    /// `store` is its store in the state, such as `\AppState.tags`. It may be nil if ids are unique
    /// across all stores.
    package func saveState(
        of id: some Hashable & Sendable, in store: PartialKeyPath<State>? = nil
    ) -> EntitySaveState {
        buffer.saveState(of: AnyID(id), in: store)
    }

    var isDue: Bool { pipeline.requiresCommit || buffer.pendingCount > 0 }
}

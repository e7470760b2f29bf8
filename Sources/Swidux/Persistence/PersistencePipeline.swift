/// Saves the changes of actions in the background, without losing any.
///
/// After every action the changes of the entity stores are drained into a buffer with one operation
/// for each id. A timer hands the buffer to storage: `debounce` after the last change, but no later
/// than `maxDelay` after the first. One flush is in flight at any time, in a task that is never
/// cancelled. A batch that fails becomes pending again, under newer changes, and is retried after
/// 0.25 s, doubling up to 30 s.
///
/// While a flush is due, it outlives its owner: a store that is released loses nothing. Before the
/// process ends, await ``flush()``.
@MainActor
public final class PersistencePipeline<State, Changes: Sendable>: Persistence {
    typealias Commit = @Sendable (Changes) async throws -> CommitResult<Changes>
    /// Reads the changes of others. `known` returns the rows that storage is known to have, as
    /// upserts: those of the state without the changes that wait. O(n), for storage that cannot
    /// tell which rows were deleted.
    package typealias Fetch =
        @MainActor @Sendable (_ known: @escaping @MainActor @Sendable () -> Changes) async throws ->
        FetchedChanges<Changes>

    /// The changes that are pending, in flight, committed or failing. ``onStatus`` reports changes
    /// of it.
    public internal(set) var status = PersistenceStatus()

    /// Called after every change of ``status``, except when only its counter of actions changed.
    ///
    /// It may be called from within ``afterReduce(state:)``, while the state belongs to the store:
    /// it must not read the store's state, but it may send, since a ``Store`` lets that action wait
    /// its turn.
    public var onStatus: ((PersistenceStatus) -> Void)?

    /// Called with the result of every commit, before the pipeline takes it in.
    package var onCommit: ((Result<CommitResult<Changes>, any Error>) -> Void)?

    /// Called with the result of every fetch, before the pipeline takes it in.
    package var onFetch: ((Result<FetchedChanges<Changes>, any Error>) -> Void)?

    /// Called when something has arrived: the ``Store`` then asks for it when its turn among the
    /// actions has come. Nil if there is no store that takes arrivals.
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
    /// The one write or fetch that storage is busy with, until its result is taken in.
    var flight: Task<Void, Never>?
    /// The write, if it is one.
    var committing: Committing<Changes>?
    /// News of storage that waits for its turn.
    var told: Told?
    /// Whether the arrival that the current action takes in has altered pending changes; nil if
    /// it takes in none.
    private var isAltered: Bool?
    /// Whether a store has it.
    private var hasBegun = false
    /// The number of flushes that have begun.
    var flushes = 0
    /// The last flush that was committed.
    var landedFlush = 0
    /// The last flush about which storage has told everything.
    package internal(set) var settledFlush = 0
    /// The number of the flush that will commit the current changes.
    package var nextFlush: Int { flushes + 1 }
    /// When the timer is set to.
    var scheduled: ContinuousClock.Instant?
    /// The last ``status`` that was reported.
    var published = PersistenceStatus()

    /// News of storage: rows of others, or the differences between a commit and its result.
    struct Told {
        var arrival: Arrival<Changes>
        /// Changes that storage has made although their commit seemed to fail.
        var confirmed: Changes?
    }

    /// A pipeline that hands storage one value with all changes of all stores, once a flush.
    ///
    /// - Parameters:
    ///   - writers: one for each store; a store that others refer to precedes them.
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
    /// and changes that storage made to a commit. Any other store uses only
    /// ``CommitResult/refused`` of the result of a commit.
    ///
    /// - Parameters:
    ///   - writers: one for each store, those that other entities refer to first.
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

    /// Takes the stores as they are in `state` for committed.
    package func begin(with state: inout State) {
        precondition(!hasBegun, "This pipeline saves the state of another store already.")
        hasBegun = true
        buffer.begin(with: &state)
        _ = endLoading(of: state)
    }

    /// Begins to write and to fetch, if that waited for the end of loading and `state` has it all.
    private func endLoading(of state: State) -> Bool {
        guard pipeline.isLoading, buffer.isHydrated(state) else { return false }
        pipeline.loadingEnded()
        return true
    }

    /// Returns the news of storage, merged with the pending changes, to be reduced right away; nil
    /// if the state is to show none of them. O(rows × log n).
    func takeArrival() -> Arrival<Changes>? {
        guard let told else { return nil }
        self.told = nil
        let isConfirmed = told.confirmed.map { buffer.confirm($0) } ?? false
        var arrival = told.arrival
        let rebase = buffer.rebase(onto: &arrival)
        status.counters.conflicts += arrival.conflicts.count
        let isAltered = isConfirmed || rebase.isAltered
        if rebase.shown == 0, arrival.conflicts.isEmpty, arrival.substitutes.isEmpty {
            tookIn(isAltered: isAltered)
            advance(at: now())
            publish()
            return nil
        }
        status.counters.adoptions += 1
        self.isAltered = isAltered
        return arrival
    }

    private func tookIn(isAltered: Bool) {
        if pipeline.tookIn(hasPending: buffer.pendingCount > 0) { status.failure = nil }
        if isAltered { log(anew: true) }
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

    /// Returns true if there were changes, or if an arrival had its turn.
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
            tookIn(isAltered: isAltered)
            if !isAltered, changes > 0 { log() }
        } else {
            log()
        }
        return true
    }

    // MARK: Requests

    /// Waits for the flush in flight, then writes the rest at once, a failed batch included, and
    /// returns when all of that is committed or has failed: ``status`` says which. Nothing is
    /// written while it is held, nor before the end of a loading that is waited for.
    ///
    /// Cancelling the task that calls it changes nothing. A commit or a fetch of this pipeline
    /// cannot call it.
    public func flush() async {
        checkCaller()
        if pipeline.isCommitting, let flight { await flight.value }
        // A fetch is waited for only by those who need its place.
        while pipeline.flight == .fetch, isDue, let flight { await flight.value }
        // Another task that waited for that flight may have begun the next one, which then contains
        // all changes.
        if !pipeline.isCommitting { hurry() }
        if pipeline.isCommitting, let flight { await flight.value }
    }

    /// Writes everything at once as ``flush()`` does, but blocks the thread until that is committed
    /// or has failed: for `exit` and other ends of a program that nothing can be awaited in.
    /// Returns whether everything is saved.
    ///
    /// It gives up after `limit`, within which a commit that needs the main actor never ends. It
    /// writes nothing while a fetch is under way. A commit or a fetch of this pipeline cannot call
    /// it.
    @discardableResult
    package func flushNow(within limit: Duration = .seconds(10)) -> Bool {
        checkCaller()
        let end = ContinuousClock.now + limit
        if let committing, !finish(committing, until: end) { return false }
        if !pipeline.isCommitting { hurry() }
        if let committing, !finish(committing, until: end) { return false }
        return status.phase == .saved
    }

    private func finish(
        _ committing: Committing<Changes>, until end: ContinuousClock.Instant
    ) -> Bool {
        guard let result = committing.work.wait(for: end - .now) else { return false }
        ended(committing.flush, result)
        return true
    }

    private func checkCaller() {
        precondition(
            FlightContext.pipeline != ObjectIdentifier(self),
            "flush() waits for the commit, so a commit or a fetch that calls it waits for itself.")
    }

    /// Begins a flush at once, before the timer and the backoff end. If one is in flight, the rest
    /// follows it.
    func hurry() {
        pipeline.hurry(at: now())
        advance(at: now())
        publish()
    }

    /// Reports that storage has failed outside a commit. A commit follows even if nothing is
    /// pending, and is retried while it fails: at once, or when the operation in flight or the
    /// pause after a failure has ended.
    package func requireCommit() {
        pipeline.owe(at: now())
        advance(at: now())
        publish()
    }

    /// True if storage can only be read. Pending changes wait until it can be written to.
    package var isReadOnly = false {
        didSet {
            guard oldValue != isReadOnly else { return }
            pipeline.setReadOnly(isReadOnly)
            // The log had nothing to say meanwhile.
            if !isReadOnly, buffer.pendingCount > 0 { log(anew: true) }
            advance(at: now())
            publish()
        }
    }

    /// Whether, in a state, a command that takes several actions is still running. Its changes are
    /// one transaction, so no commit begins meanwhile, and one record of the log: if the process
    /// ends before the last action, nothing of the command is left.
    package var isMidCommand: @MainActor (State) -> Bool = { _ in false }

    /// Fetches the changes that other processes have committed, as soon as no operation is in
    /// flight. Call it when storage reports a change. A commit that turns out to be behind does the
    /// same, and so does the end of loading; nothing is fetched before that.
    ///
    /// Fetched changes become an action of the ``Store``, which adopts them under pending changes.
    /// If none of them is new, nothing happens. A failed fetch is silent: the next fetch or commit
    /// makes up for it. After a failed commit, a successful fetch ends the pause before the next
    /// attempt.
    package func fetchNow() {
        pipeline.noticed(at: now())
        advance(at: now())
    }

    /// Fetches as ``fetchNow()`` does, and returns when that has succeeded or failed. Fetches
    /// nothing before the end of loading, and only the first part of a long answer.
    package func fetchOnce() async {
        checkCaller()
        // The fetch in flight may have read storage before the change that the caller looks for.
        if pipeline.flight == .fetch, let flight { await flight.value }
        fetchNow()
        if pipeline.flight == .fetch, let flight { await flight.value }
    }

    /// Whether the entity with this id is saved. O(number of writers).
    ///
    /// `store` is its store in the state, as `\AppState.tags`. Without it the entity may be of any,
    /// which is for ids that no two stores share.
    package func saveState(
        of id: some Hashable & Sendable, in store: PartialKeyPath<State>? = nil
    ) -> EntitySaveState {
        buffer.saveState(of: AnyID(id), in: store)
    }

    var isDue: Bool { pipeline.isOwing || buffer.pendingCount > 0 }
}

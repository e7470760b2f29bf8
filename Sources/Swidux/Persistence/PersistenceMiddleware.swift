/// Brings what actions change to storage, behind the user's back and without losing anything.
///
/// After every action the changes of the entity stores are drained into a buffer with one operation
/// for an id. A timer hands the buffer to storage: `debounce` after the last change, but no later
/// than `maxDelay` after the first. One flush is in flight at any time, in a task that nothing
/// cancels. A batch that fails becomes pending again beneath newer changes and is tried again, 0.25
/// s later at first and doubling up to 30 s.
@MainActor
public final class PersistenceMiddleware<State> {
    /// How it stands. ``onStatus`` tells of changes.
    public private(set) var status = PersistenceStatus()

    /// Called after every change of ``status``, its counter of actions alone excepted.
    ///
    /// It may be called from within ``afterReduce(state:)``, while the state belongs to the store:
    /// it must not read the store's state, but it may send, since a ``Store`` lets that action wait
    /// its turn.
    public var onStatus: ((PersistenceStatus) -> Void)?

    /// Called when something was fetched; the ``Store`` then takes it in.
    var onArrival: (() -> Void)?

    var watchers: [Int: AsyncStream<PersistenceStatus>.Continuation] = [:]
    var lastWatcher = 0

    private let pipe: PersistencePipe<State>
    private let debounce: Duration
    private let maxDelay: Duration
    private let now: () -> ContinuousClock.Instant
    private let timer: any DebounceTimer
    private let describe: (any Error) -> String

    /// The one write or fetch that storage is busy with.
    private var flight: Task<Void, Never>?
    private var isFetching = false
    private var mayFetch = false
    /// Whether storage may have something that is not here.
    private var isBehind = false
    /// What was fetched and not yet taken in.
    private var inbox: [(inout State) -> [AnyID]] = []
    /// Whether the log misses a change that waits.
    private var logIsTorn = false
    /// Whether the log was renewed while something was in flight, so that it holds that still when
    /// it is committed.
    private var logIsAhead = false
    private var mayWrite: Bool
    /// Whether a commit is due though nothing may be pending.
    private var isOwing = false
    private var firstChange: ContinuousClock.Instant?
    private var lastChange: ContinuousClock.Instant?
    private var failures = 0
    private var scheduled: ContinuousClock.Instant?

    private init(pipe: PersistencePipe<State>, options: PersistenceOptions) {
        self.pipe = pipe
        debounce = options.debounce
        maxDelay = options.maxDelay
        now = options.now
        timer = options.timer ?? DispatchDebounceTimer()
        describe = options.describe
        mayWrite = !options.waitsForHydration
    }

    /// A pipeline to closures, one for each store; see ``StateWriter`` for the order and for what
    /// it cannot promise.
    public convenience init(
        writers: [StateWriter<State>],
        debounce: Duration = .milliseconds(250),
        options: PersistenceOptions = PersistenceOptions()
    ) {
        var options = options
        options.debounce = debounce
        self.init(pipe: PersistencePipe(writers), options: options)
    }

    /// A pipeline that hands storage one value with all changes of all stores, once a flush.
    ///
    /// - Parameters:
    ///   - writers: one for each store; what others refer to comes first.
    ///   - empty: a value without changes.
    ///   - options: how it keeps time and speaks of errors.
    ///   - log: what keeps changes that are not committed from a sudden end of the process; nil
    ///     keeps them in memory alone.
    ///   - commit: makes all of it durable, or throws and has committed nothing; called in a task
    ///     that is never cancelled, and never twice at a time.
    ///   - fetch: what others have committed since it was called last, for storage that is shared;
    ///     see ``fetchNow()``. Never called while a commit is in flight.
    public convenience init<Changes: Sendable>(
        writers: [BatchWriter<State, Changes>],
        empty: @escaping @MainActor () -> Changes,
        options: PersistenceOptions = PersistenceOptions(),
        log: (any IntentLog<Changes>)? = nil,
        commit: @escaping @Sendable (Changes) async throws -> CommitResult,
        fetch: (@MainActor @Sendable () async throws -> FetchedChanges<Changes>)? = nil
    ) {
        var pipe = PersistencePipe(writers, empty: empty, commit: commit)
        if let log { pipe.keep(log, of: writers, empty: empty) }
        if let fetch { pipe.follow(fetch, into: writers) }
        self.init(pipe: pipe, options: options)
    }

    /// Takes the stores as they are in `state` for committed. A ``Store`` does it with its initial
    /// state.
    public func begin(with state: inout State) {
        for buffer in pipe.buffers { buffer.begin(with: &state) }
    }

    /// Takes in what was fetched, beneath the changes that wait here. O(rows fetched × log n).
    func absorb(into state: inout State) {
        guard !inbox.isEmpty else { return }
        let conflicts = inbox.flatMap { $0(&state) }
        inbox = []
        status.counters.adoptions += 1
        note(conflicts)
        if !isDue, flight == nil {
            // What failed is in storage all the same, and nothing is left to be tried again.
            failures = 0
            status.failure = nil
            status.nextTry = nil
        }
        log(anew: true)
        schedule()
        publish()
    }

    /// Drains what an action changed, and sees to it that it is written in time. O(changes).
    public func afterReduce(state: inout State) {
        status.counters.actions += 1
        var changes = 0
        for buffer in pipe.buffers {
            let tally = buffer.drain(&state)
            changes += tally.changes
            status.counters.coalesced += tally.coalesced
        }
        guard changes > 0 else { return }
        status.counters.changes += changes
        let time = now()
        firstChange = firstChange ?? time
        lastChange = time
        log()
        schedule()
        publish()
    }

    /// A log that could not be told what becomes of its records is made anew in time.
    private func note(_ progress: () throws -> Void) {
        do {
            try progress()
        } catch {
            logIsTorn = true
        }
    }

    private func log(anew: Bool = false) {
        do {
            if anew || logIsTorn {
                try pipe.renewLog()
                logIsAhead = flight != nil && !isFetching
            } else {
                try pipe.append()
            }
            logIsTorn = false
        } catch {
            logIsTorn = true
            // A log that misses nothing is made anew with the next change.
            guard isDue || flight != nil && !isFetching else { return }
            status.failure = describe(error)
            // Nothing keeps what is typed now but storage; a pause after a failure is kept all the
            // same.
            if failures == 0 { takeOff() }
        }
    }

    /// Has what is not committed survive the loss of power, in the log.
    ///
    /// - Returns: where it is, for whoever opens the storage next; nil if there is no log.
    /// - Throws: what the log throws.
    public func keepLog() async throws -> String? { try await pipe.keepLog() }

    /// Ends the log at the end of the process. What is not committed stays in it, for whoever opens
    /// the storage next.
    public func closeLog() { pipe.closeLog() }

    /// Ends the log at the end of the process. What is not committed is given up, unless an earlier
    /// process left it.
    public func giveUpLog() { pipe.giveUpLog() }

    /// Says that everything is loaded, and writing may begin; needed only with
    /// ``PersistenceOptions/waitsForHydration``.
    public func hydrationEnded() {
        guard !mayWrite else { return }
        mayWrite = true
        schedule()
        publish()
    }

    /// Waits for the flush in flight, then writes the rest at once, a failed batch included, and
    /// returns when all of that is committed or has failed: ``status`` says which. Before the end
    /// of hydration nothing is written.
    ///
    /// Cancelling the task that calls it changes nothing.
    public func flush() async {
        if let flight, !isFetching { await flight.value }
        // A fetch is waited for only by those who need its place.
        while isFetching, isDue, let flight { await flight.value }
        // Whoever else waited for that flight may have begun the next one, which then has
        // everything.
        if flight == nil { takeOff() }
        if let flight, !isFetching { await flight.value }
    }

    /// Begins a flush at once, whatever the timer and the backoff say. If one is in flight, the
    /// rest follows it.
    public func flushNow() {
        guard flight != nil else { return takeOff() }
        firstChange = firstChange.map { _ in now() - maxDelay }
    }

    /// Says that storage has failed otherwise than in a commit: one is begun at once, or when what
    /// is in flight has landed, and tried again when it fails, even if nothing is pending here.
    public func commitIsOwed() {
        isOwing = true
        takeOff()
    }

    /// Whether storage can only be read: what is pending waits until it can be written to.
    public var isReadOnly = false {
        didSet {
            guard oldValue, !isReadOnly else { return }
            // The log had nothing to say meanwhile.
            if isDue { log(anew: true) }
            schedule()
            publish()
        }
    }

    /// Says that the first load is complete, so that what others do may be fetched from now on.
    public func fetchingMayBegin() {
        mayFetch = true
        isBehind = true
        fetchNow()
    }

    /// Fetches what other processes have committed, as soon as nothing is in flight; to be called
    /// when storage tells of a change. A commit that finds it behind does the same.
    ///
    /// The ``Store`` takes what was fetched in at once, beneath changes that wait here. It records
    /// nothing, and the status that is published says that it happened. A fetch that fails is
    /// silent: the next one, or the next commit, makes up for it.
    public func fetchNow() {
        guard let fetch = pipe.fetch else { return }
        isBehind = true
        guard mayFetch, flight == nil, inbox.isEmpty else { return }
        isBehind = false
        isFetching = true
        flight = Task {
            var adopt: ((inout State) -> [AnyID])?
            do {
                let fetched = try await fetch()
                adopt = fetched.adopt
                if !fetched.isComplete { isBehind = true }
            } catch {
                // Whether storage works is told by commits.
            }
            flight = nil
            isFetching = false
            if let adopt {
                inbox.append(adopt)
                onArrival?()
            }
            schedule()
            if isBehind { fetchNow() }
        }
    }

    private func note(_ conflicts: [AnyID]) {
        status.counters.conflicts += conflicts.count
        status.conflicts = (status.conflicts + conflicts).suffix(32)
    }

    /// How an entity of the store at `keyPath` stands. O(number of writers).
    public func saveState(of id: some Hashable & Sendable) -> EntitySaveState {
        let id = AnyID(id)
        for buffer in pipe.buffers {
            let state = buffer.saveState(of: id)
            if state != .committed { return state }
        }
        return .committed
    }

    // MARK: The timer

    private var pendingCount: Int {
        var count = 0
        for buffer in pipe.buffers { count += buffer.pendingCount }
        return count
    }

    private var isDue: Bool { isOwing || pendingCount > 0 }

    /// When the next flush is due: nil while nothing is pending, or a flush is in flight, or none
    /// may be.
    private var due: ContinuousClock.Instant? {
        guard mayWrite, !isReadOnly, flight == nil || isFetching, isDue else { return nil }
        if failures > 0, let nextTry = status.nextTry { return nextTry }
        guard let firstChange, let lastChange else { return isOwing ? now() : nil }
        return min(lastChange + debounce, firstChange + maxDelay)
    }

    private func schedule() {
        let due = due
        status.flushDue = due
        guard let due else {
            if scheduled != nil { timer.cancel() }
            scheduled = nil
            return
        }
        let time = now()
        guard due > time else { return takeOff() }
        // A timer that fires too early is set again then, which is cheaper than to set it anew at
        // every key.
        if let scheduled, scheduled <= due { return }
        scheduled = due
        timer.schedule(after: due - time) { [weak self] in
            guard let self else { return }
            scheduled = nil
            schedule()
            publish()
        }
    }

    // MARK: The flight

    private func takeOff() {
        // What was fetched is older than what this would write.
        guard mayWrite, !isReadOnly, flight == nil, inbox.isEmpty, isDue else { return }
        timer.cancel()
        scheduled = nil
        let first = firstChange
        firstChange = nil
        lastChange = nil
        for buffer in pipe.buffers { buffer.takeOff() }
        if status.failure != nil { status.counters.retries += 1 }
        status.flushDue = nil
        status.nextTry = nil
        let start = now()
        let commit = pipe.prepare()
        note { try pipe.handOver() }
        // Of its own: nobody else holds this task, so nobody can cancel the write.
        flight = Task {
            do {
                let result = try await commit()
                land(result, since: start)
            } catch {
                turnBack(error, first: first)
            }
        }
        publish()
    }

    private func land(_ result: CommitResult, since start: ContinuousClock.Instant) {
        flight = nil
        failures = 0
        isOwing = false
        status.failure = nil
        for buffer in pipe.buffers { status.counters.rows += buffer.land(result) }
        status.counters.batches += 1
        note { try pipe.committed() }
        // What was refused is on the screen, and left the log with its batch.
        let hasRefusals = pipe.buffers.contains { !$0.refusals.isEmpty }
        if logIsTorn || logIsAhead || hasRefusals { log(anew: true) }
        note(result.conflicts.map { AnyID($0) })
        status.counters.latencies = status.counters.latencies.suffix(31) + [now() - start]
        schedule()
        publish()
        if result.isBehind || isBehind { fetchNow() }
    }

    private func turnBack(_ error: any Error, first: ContinuousClock.Instant?) {
        flight = nil
        let time = now()
        let delay = min(Duration.milliseconds(250) * (1 << min(failures, 7)), .seconds(30))
        failures += 1
        status.failure = describe(error)
        status.nextTry = time + delay
        status.counters.failures += 1
        for buffer in pipe.buffers { buffer.turnBack() }
        firstChange = first ?? firstChange
        lastChange = lastChange ?? time
        schedule()
        publish()
        if isBehind { fetchNow() }
    }

    // MARK: The status

    private var published = PersistenceStatus()

    private func publish() {
        status.pending = pendingCount
        status.inFlight = 0
        status.refused = []
        for buffer in pipe.buffers {
            status.inFlight += buffer.inFlightCount
            status.refused += buffer.refusals
        }
        status.phase = phase
        published.counters.actions = status.counters.actions
        guard status != published else { return }
        published = status
        onStatus?(status)
        for watcher in watchers.values { watcher.yield(status) }
    }

    private var phase: PersistenceStatus.Phase {
        if flight != nil, !isFetching, !logIsTorn { return .saving }
        if status.failure != nil || !status.refused.isEmpty { return .failing }
        return isDue ? .unsaved : .saved
    }
}

/// Brings what actions change to storage, behind the user's back and without losing anything.
///
/// After every action the changes of the entity stores are drained into a buffer with one operation for an id. A timer
/// hands the buffer to storage: `debounce` after the last change, but no later than `maxDelay` after the first. One
/// flush is in flight at any time, in a task that nothing cancels. A batch that fails becomes pending again beneath
/// newer changes and is tried again, 0.25 s later at first and doubling up to 30 s.
@MainActor
public final class PersistenceMiddleware<State> {
    /// How it stands. ``onStatus`` tells of changes.
    public private(set) var status = PersistenceStatus()

    /// Called after every change of ``status``, its counter of actions alone excepted.
    ///
    /// It may be called from within ``afterReduce(state:)``, while the state belongs to the store: it must not read the
    /// store's state, but it may send, since a ``Store`` lets that action wait its turn.
    public var onStatus: ((PersistenceStatus) -> Void)?

    var watchers: [Int: AsyncStream<PersistenceStatus>.Continuation] = [:]
    var lastWatcher = 0

    private let buffers: [ChangeBuffer<State>]
    /// Fixes what is in flight and returns what commits it.
    private let prepare: () -> Commit
    private let debounce: Duration
    private let maxDelay: Duration
    private let now: () -> ContinuousClock.Instant
    private let timer: any DebounceTimer
    private let describe: (any Error) -> String

    private var flight: Task<Void, Never>?
    private var mayWrite: Bool
    private var firstChange: ContinuousClock.Instant?
    private var lastChange: ContinuousClock.Instant?
    private var failures = 0
    private var scheduled: ContinuousClock.Instant?

    typealias Commit = @Sendable () async throws -> CommitResult

    private init(
        buffers: [ChangeBuffer<State>], prepare: @escaping () -> Commit,
        options: PersistenceOptions
    ) {
        self.buffers = buffers
        self.prepare = prepare
        debounce = options.debounce
        maxDelay = options.maxDelay
        now = options.now
        timer = options.timer ?? DispatchDebounceTimer()
        describe = options.describe
        mayWrite = !options.waitsForHydration
    }

    /// A pipeline to closures, one for each store; see ``StateWriter`` for the order and for what it cannot promise.
    public convenience init(
        writers: [StateWriter<State>],
        debounce: Duration = .milliseconds(250),
        options: PersistenceOptions = PersistenceOptions()
    ) {
        var options = options
        options.debounce = debounce
        self.init(
            buffers: writers.map { $0.buffer },
            prepare: {
                let writes = writers.map { $0.prepare() }
                return {
                    for write in writes { try await write.upserts() }
                    for write in writes.reversed() { try await write.deletions() }
                    return CommitResult()
                }
            },
            options: options)
    }

    /// A pipeline that hands storage one value with all changes of all stores, once a flush.
    ///
    /// - Parameters:
    ///   - writers: one for each store; what others refer to comes first.
    ///   - empty: a value without changes.
    ///   - options: how it keeps time and speaks of errors.
    ///   - commit: makes all of it durable, or throws and has committed nothing; called in a task that is never
    ///     cancelled, and never twice at a time.
    public convenience init<Changes: Sendable>(
        writers: [BatchWriter<State, Changes>],
        empty: @escaping @MainActor () -> Changes,
        options: PersistenceOptions = PersistenceOptions(),
        commit: @escaping @Sendable (Changes) async throws -> CommitResult
    ) {
        self.init(
            buffers: writers.map { $0.buffer },
            prepare: {
                var changes = empty()
                for writer in writers { writer.fill(&changes) }
                let batch = changes
                return { try await commit(batch) }
            },
            options: options)
    }

    /// Takes the stores as they are in `state` for committed. A ``Store`` does it with its initial state.
    public func begin(with state: inout State) {
        for buffer in buffers { buffer.begin(with: &state) }
    }

    /// Drains what an action changed, and sees to it that it is written in time. O(changes).
    public func afterReduce(state: inout State) {
        status.counters.actions += 1
        var changes = 0
        for buffer in buffers {
            let tally = buffer.drain(&state)
            changes += tally.changes
            status.counters.coalesced += tally.coalesced
        }
        guard changes > 0 else { return }
        status.counters.changes += changes
        let time = now()
        firstChange = firstChange ?? time
        lastChange = time
        schedule()
        publish()
    }

    /// Says that everything is loaded, and writing may begin; needed only with
    /// ``PersistenceOptions/waitsForHydration``.
    public func hydrationEnded() {
        guard !mayWrite else { return }
        mayWrite = true
        schedule()
        publish()
    }

    /// Waits for the flush in flight, then writes the rest at once, a failed batch included, and returns when all of
    /// that is committed or has failed: ``status`` says which. Before the end of hydration nothing is written.
    ///
    /// Cancelling the task that calls it changes nothing.
    public func flush() async {
        if let flight { await flight.value }
        // Whoever else waited for that flight may have begun the next one, which then has everything.
        if flight == nil { takeOff() }
        if let flight { await flight.value }
    }

    /// Begins a flush at once, whatever the timer and the backoff say. If one is in flight, the rest follows it.
    public func flushNow() {
        guard flight != nil else { return takeOff() }
        firstChange = firstChange.map { _ in now() - maxDelay }
    }

    /// How an entity of the store at `keyPath` stands. O(number of writers).
    public func saveState(of id: some Hashable & Sendable) -> EntitySaveState {
        let id = AnyID(id)
        for buffer in buffers {
            let state = buffer.saveState(of: id)
            if state != .committed { return state }
        }
        return .committed
    }

    // MARK: The timer

    private var pendingCount: Int {
        var count = 0
        for buffer in buffers { count += buffer.pendingCount }
        return count
    }

    /// When the next flush is due: nil while nothing is pending, or a flush is in flight, or none may be.
    private var due: ContinuousClock.Instant? {
        guard mayWrite, flight == nil, pendingCount > 0 else { return nil }
        if failures > 0, let nextTry = status.nextTry { return nextTry }
        guard let firstChange, let lastChange else { return nil }
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
        // A timer that fires too early is set again then, which is cheaper than to set it anew at every key.
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
        guard mayWrite, flight == nil, pendingCount > 0 else { return }
        timer.cancel()
        scheduled = nil
        let first = firstChange
        firstChange = nil
        lastChange = nil
        for buffer in buffers { buffer.takeOff() }
        if status.failure != nil { status.counters.retries += 1 }
        status.flushDue = nil
        status.nextTry = nil
        let start = now()
        let commit = prepare()
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
        status.failure = nil
        for buffer in buffers { status.counters.rows += buffer.land(result.refused) }
        status.counters.batches += 1
        status.counters.latencies = status.counters.latencies.suffix(31) + [now() - start]
        schedule()
        publish()
    }

    private func turnBack(_ error: any Error, first: ContinuousClock.Instant?) {
        flight = nil
        let time = now()
        let delay = min(Duration.milliseconds(250) * (1 << min(failures, 7)), .seconds(30))
        failures += 1
        status.failure = describe(error)
        status.nextTry = time + delay
        status.counters.failures += 1
        for buffer in buffers { buffer.turnBack() }
        firstChange = first ?? firstChange
        lastChange = lastChange ?? time
        schedule()
        publish()
    }

    // MARK: The status

    private var published = PersistenceStatus()

    private func publish() {
        status.pending = pendingCount
        status.inFlight = 0
        status.refused = []
        for buffer in buffers {
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
        if flight != nil { return .saving }
        if status.failure != nil || !status.refused.isEmpty { return .failing }
        return status.pending > 0 ? .unsaved : .saved
    }
}

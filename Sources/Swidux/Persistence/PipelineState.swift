/// The state machine of a ``PersistencePipeline``.
///
/// A value without tasks, timers and rows. Its owner reports events, and ``next(hasPending:at:)``
/// returns the next step. All decisions about when to write or read storage are here, so that a
/// test can cover them.
struct PipelineState: Hashable {
    typealias Instant = ContinuousClock.Instant

    /// The operation in flight, or the one that must come before the next.
    enum Flight: Hashable {
        case none
        case commit, fetch
        /// A report of storage waits for its turn among the actions. A batch that begins before
        /// that could be based on older rows than the report.
        case arrival
    }

    enum Writing: Hashable {
        case afterHydration, allowed
        /// Storage can only be read at present.
        case readOnly
    }

    /// The state of fetching from storage that other processes write to.
    enum Fetching: Hashable {
        case impossible
        case afterLoading
        /// All known changes in storage were fetched.
        case current
        /// Storage may have changes that were not fetched.
        case behind
    }

    /// The content of the log, compared with the uncommitted changes.
    enum Log: Hashable {
        case whole
        /// The log was rewritten while a batch was in flight, so it still contains that batch after
        /// the commit.
        case ahead
        /// The log lacks changes, or has changes that were reconciled with another process since.
        case torn
    }

    /// The state of retrying after failures.
    enum Retry: Hashable {
        case none
        /// The next attempt begins at `until`. If `isProbed`, a fetch was requested since the
        /// failure. If that fetch succeeds, the cause may be gone, so it ends the pause.
        case pause(failures: Int, until: Instant, isProbed: Bool)
        /// Another attempt is in flight.
        case again(failures: Int)
    }

    /// The times of the first and the last pending change.
    struct Age: Hashable {
        var first: Instant
        var last: Instant
    }

    /// The operation to begin.
    enum Step: Hashable {
        case commit, fetch
        case wait(until: Instant)
        /// Wait for the next event.
        case rest
    }

    let debounce: Duration
    let maxDelay: Duration

    private(set) var flight = Flight.none
    private(set) var writing: Writing
    private(set) var fetching: Fetching
    private(set) var log = Log.whole
    private(set) var retry = Retry.none
    private(set) var age: Age?
    /// True while the timer begins no commit, because a command is not complete.
    private(set) var isHeld = false
    /// True if a commit is due even if nothing is pending.
    private(set) var requiresCommit = false

    init(debounce: Duration, maxDelay: Duration, waitsForHydration: Bool, canFetch: Bool) {
        self.debounce = debounce
        self.maxDelay = maxDelay
        writing = waitsForHydration ? .afterHydration : .allowed
        fetching = canFetch ? .afterLoading : .impossible
    }

    // MARK: Asking

    var isCommitting: Bool { flight == .commit }

    /// The time at which a failed batch is retried, or nil.
    var nextTry: Instant? {
        if case .pause(_, let until, _) = retry { until } else { nil }
    }

    /// True if the log must be written again once no operation is in flight.
    var isLogStale: Bool { log != .whole }

    /// Returns the time at which the next flush is due. Nil if there is nothing to write, if a
    /// flush is in flight, or if none may begin.
    func due(hasPending: Bool) -> Instant? {
        guard writing == .allowed, !isCommitting, !isHeld, hasPending || requiresCommit else {
            return nil
        }
        return nextTry ?? age.map { min($0.last + debounce, $0.first + maxDelay) }
    }

    /// Returns the operation to begin now, which then counts as in flight.
    mutating func next(hasPending: Bool, at now: Instant) -> Step {
        guard flight == .none else { return .rest }
        let due = due(hasPending: hasPending)
        if let due, due <= now {
            flight = .commit
            age = nil
            if case .pause(let failures, _, _) = retry { retry = .again(failures: failures) }
            return .commit
        }
        if fetching == .behind {
            fetching = .current
            flight = .fetch
            return .fetch
        }
        return due.map { .wait(until: $0) } ?? .rest
    }

    // MARK: Events of users and the application

    /// Reports that an action has made changes that must be written.
    mutating func changed(at now: Instant) {
        age = Age(first: age?.first ?? now, last: now)
    }

    /// Requests that pending changes are written as soon as possible, before the timer and the
    /// pause end.
    mutating func hurry(at now: Instant) {
        if let age { self.age = Age(first: min(age.first, now - maxDelay), last: age.last) }
        if case .pause(let failures, _, _) = retry {
            retry = .pause(failures: failures, until: now, isProbed: false)
        }
    }

    /// Begins or ends a group of changes that belong together.
    mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

    /// True if commits or fetches wait for the end of loading.
    var isLoading: Bool { writing == .afterHydration || fetching == .afterLoading }

    mutating func loadingEnded() {
        if writing == .afterHydration { writing = .allowed }
        if fetching == .afterLoading { fetching = .behind }
    }

    /// Makes a commit due: at once or, if a failed batch is waiting for its retry, at the time of
    /// that retry. In that case the failure is known already, and a commit may have caused it.
    mutating func requireCommit(at now: Instant) {
        requiresCommit = true
        age = age ?? Age(first: now, last: now)
        if nextTry == nil { hurry(at: now) }
    }

    /// Reports that from now on storage can only be read, or can be written to again.
    mutating func setReadOnly(_ isReadOnly: Bool) {
        switch (writing, isReadOnly) {
        case (.allowed, true): writing = .readOnly
        case (.readOnly, false): writing = .allowed
        default: break
        }
    }

    // MARK: Events of storage

    /// Reports that storage may have changed. The change may also have removed the cause of a
    /// failed commit.
    mutating func storageMayHaveChanged(at now: Instant) {
        switch fetching {
        case .impossible, .afterLoading: endPause(at: now)
        case .current, .behind:
            fetching = .behind
            if case .pause(let failures, let until, _) = retry {
                retry = .pause(failures: failures, until: until, isProbed: true)
            }
        }
    }

    /// Reports that the batch was committed.
    mutating func commitSucceeded(isBehind: Bool, hasArrival: Bool) {
        flight = hasArrival ? .arrival : .none
        retry = .none
        requiresCommit = false
        if isBehind { fellBehind() }
    }

    /// Reports that the batch failed and is pending again.
    mutating func commitFailed(at now: Instant) {
        guard isCommitting else { return }
        flight = .none
        let failures = if case .again(let failures) = retry { failures } else { 0 }
        let delay = min(Duration.milliseconds(250) * (1 << failures), .seconds(30))
        retry = .pause(failures: min(failures + 1, 7), until: now + delay, isProbed: false)
        age = age ?? Age(first: now, last: now)
    }

    mutating func fetched(isComplete: Bool, hasArrival: Bool, at now: Instant) {
        flight = hasArrival ? .arrival : .none
        if !isComplete { fellBehind() }
        if case .pause(_, _, isProbed: true) = retry { endPause(at: now) }
    }

    mutating func fetchFailed() { flight = .none }

    /// Reports that the state has adopted an arrival. Returns true if there is nothing more to
    /// write, because the changes of a failed batch are in storage after all.
    mutating func arrivalAdopted(hasPending: Bool) -> Bool {
        if flight == .arrival { flight = .none }
        guard !hasPending, !requiresCommit else { return false }
        retry = .none
        age = nil
        return true
    }

    private mutating func fellBehind() {
        if fetching == .current { fetching = .behind }
    }

    private mutating func endPause(at now: Instant) {
        guard case .pause(let failures, let until, _) = retry else { return }
        retry = .pause(failures: failures, until: min(until, now), isProbed: false)
    }

    // MARK: Events of the log

    /// Reports that the log was rewritten and contains exactly the uncommitted changes.
    mutating func logRenewed() { log = isCommitting ? .ahead : .whole }

    /// Reports that the log must be rewritten: it lacks a record, or could not record the progress
    /// of a commit.
    mutating func logTorn() { log = .torn }
}

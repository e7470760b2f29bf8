/// The state machine of a ``PersistenceMiddleware``.
///
/// A value without tasks, timers and rows. Its owner reports events, and ``next(hasPending:at:)``
/// returns the one step to begin. All decisions about when storage is written or read are here, so
/// that a test can walk through all of them.
struct PipelineState: Hashable {
    typealias Instant = ContinuousClock.Instant

    /// The operation in flight, or the one that must come before the next.
    enum Flight: Hashable {
        case none
        case commit, fetch
        /// A report of storage waits for its turn among the actions. A batch that began now could
        /// be older than the report.
        case arrival
    }

    enum Writing: Hashable {
        case afterHydration, allowed
        /// Storage can only be read, for the time being.
        case readOnly
    }

    /// The state of fetching from storage that other processes write to.
    enum Fetching: Hashable {
        case impossible
        case afterLoading
        /// All of it is here.
        case current
        /// It may have something that is not here.
        case behind
    }

    /// The content of a log compared to the uncommitted changes.
    enum Log: Hashable {
        case whole
        /// It was renewed while a batch was in flight, so it holds that still when it is committed.
        case ahead
        /// It lacks changes, or has some that another process has changed since.
        case torn
    }

    /// The state of retrying after failures.
    enum Retry: Hashable {
        case none
        /// Nothing is tried before `until`. A fetch that was asked for since the failure and
        /// succeeds shows that its cause may be gone, and ends the pause.
        case pause(failures: Int, until: Instant, isProbed: Bool)
        /// Another attempt is in flight.
        case again(failures: Int)
    }

    /// The times at which pending changes were made.
    struct Age: Hashable {
        var first: Instant
        var last: Instant
    }

    /// The operation to begin.
    enum Step: Hashable {
        case commit, fetch
        case wait(until: Instant)
        /// Until something happens.
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
    /// True if the timer begins no commit, because the current change is not complete.
    private(set) var isHeld = false
    /// Whether a commit is due though nothing may be pending.
    private(set) var isOwing = false

    init(debounce: Duration, maxDelay: Duration, waitsForHydration: Bool, canFetch: Bool) {
        self.debounce = debounce
        self.maxDelay = maxDelay
        writing = waitsForHydration ? .afterHydration : .allowed
        fetching = canFetch ? .afterLoading : .impossible
    }

    // MARK: Asking

    var isCommitting: Bool { flight == .commit }

    /// When a failed batch is tried again.
    var nextTry: Instant? {
        if case .pause(_, let until, _) = retry { until } else { nil }
    }

    /// True if the log must be written again once no operation is in flight.
    var isLogStale: Bool { log != .whole }

    /// When the next flush is due: nil while there is nothing to write, a flush is in flight, or
    /// none may be.
    func due(hasPending: Bool) -> Instant? {
        guard writing == .allowed, !isCommitting, !isHeld, hasPending || isOwing else { return nil }
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

    /// An action has changed something that is to be written.
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

    /// Changes that belong together begin, or are complete.
    mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

    /// Whether something waits for the end of loading.
    var isLoading: Bool { writing == .afterHydration || fetching == .afterLoading }

    mutating func loadingEnded() {
        if writing == .afterHydration { writing = .allowed }
        if fetching == .afterLoading { fetching = .behind }
    }

    /// Makes the next commit due at once, or after the pause: the failure is then known, and an
    /// attempt may have caused it.
    mutating func owe(at now: Instant) {
        isOwing = true
        age = age ?? Age(first: now, last: now)
        if nextTry == nil { hurry(at: now) }
    }

    /// Storage can only be read from now on, or be written to again.
    mutating func setReadOnly(_ isReadOnly: Bool) {
        switch (writing, isReadOnly) {
        case (.allowed, true): writing = .readOnly
        case (.readOnly, false): writing = .allowed
        default: break
        }
    }

    // MARK: Events of storage

    /// Reports that storage may have changed. That may also end the cause of a failed commit.
    mutating func noticed(at now: Instant) {
        switch fetching {
        case .impossible, .afterLoading: endPause(at: now)
        case .current, .behind:
            fetching = .behind
            if case .pause(let failures, let until, _) = retry {
                retry = .pause(failures: failures, until: until, isProbed: true)
            }
        }
    }

    /// The batch is committed.
    mutating func landed(isBehind: Bool, hasArrival: Bool) {
        flight = hasArrival ? .arrival : .none
        retry = .none
        isOwing = false
        if isBehind { fellBehind() }
    }

    /// The batch failed, and is pending again.
    mutating func turnedBack(at now: Instant) {
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

    /// Reports that the state has adopted a report of storage. Returns true if no change is left to
    /// write. Then the failed changes are in storage after all.
    mutating func tookIn(hasPending: Bool) -> Bool {
        if flight == .arrival { flight = .none }
        guard !hasPending, !isOwing else { return false }
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

    /// Reports that the log contains exactly the pending changes.
    mutating func logRenewed() { log = isCommitting ? .ahead : .whole }

    /// It has to be rewritten: it lacks a record, or does not know the fate of its records.
    mutating func logTorn() { log = .torn }
}

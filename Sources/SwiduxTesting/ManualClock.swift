import Swidux
import Synchronization
import Testing

/// A clock that stands still until a test moves it. Tasks that sleep on it wake, and its timers
/// fire, when their times come.
///
/// ```swift
/// let clock = ManualClock()
/// store.send(.search("swift"))  // its effect begins with try await clock.sleep(for: .seconds(1))
/// await clock.sleepBegan()
/// clock.advance(by: .seconds(1))
/// await store.settled()
/// ```
public final class ManualClock: TimerClock, Sendable {
    /// Instants of the system's clock, so that either clock can replace the other.
    public typealias Instant = ContinuousClock.Instant

    private typealias Sleeper = (due: Instant, continuation: CheckedContinuation<Void, any Error>)

    private struct State {
        var now = ContinuousClock.now
        var sleepers: [Int: Sleeper] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())
    /// The counter of sleeps that have begun.
    private let sleeps = Progress()
    private let timeout: Duration
    private let fail: FailureHandler
    @MainActor private var timers: [ManualTimer] = []

    /// Creates a clock that starts at an arbitrary instant.
    ///
    /// - Parameters:
    ///   - timeout: the real time without another sleep after which
    ///     ``sleepBegan(_:sourceLocation:)`` fails.
    ///   - fail: the function that records failures.
    public init(
        timeout: Duration = .seconds(10),
        onFailure fail: @escaping FailureHandler = { Issue.record("\($0)", sourceLocation: $1) }
    ) {
        self.timeout = timeout
        self.fail = fail
    }

    /// The time. Starts at an arbitrary instant.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest step of the clock.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Returns once the clock has been moved to `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let run = EffectRun.current
        let sleep = run?.sleepBegan(on: self, until: deadline)
        defer { if let sleep { run?.sleepEnded(sleep) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin((deadline, continuation), number)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ sleeper: Sleeper, _ number: Int) {
        // A sleep that is cancelled or over before it begins counts too, because a test cannot know
        // which of two tasks comes first.
        defer { sleeps.record() }
        // If the cancellation came first, its handler found no sleeper to wake.
        let result: Result<Void, any Error>? = state.withLock { state in
            if Task.isCancelled { return .failure(CancellationError()) }
            guard sleeper.due > state.now else { return .success(()) }
            state.sleepers[number] = sleeper
            return nil
        }
        if let result { sleeper.continuation.resume(with: result) }
    }

    /// Returns once `count` sleeps have begun since the clock was made, even if some have ended.
    /// The task that the test wants to wake is then asleep.
    ///
    /// Fails if the timeout passes without another sleep before that.
    public func sleepBegan(
        _ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        while true {
            let begun = sleeps.events
            if begun >= count { return }
            guard await sleeps.next(after: begun, within: timeout) else { break }
        }
        fail(
            "Fewer sleeps than \(count) have begun: \(sleeps.events). "
                + (schedule.isEmpty ? "None is left" : "Due: \(schedule)")
                + ", and none has begun for \(timeout).", sourceLocation)
    }

    /// The durations by which the clock must be advanced to wake each sleeping task.
    private var schedule: String {
        state.withLock { state in
            state.sleepers.values.map { $0.due - state.now }.sorted().map { "in \($0)" }
        }.joined(separator: ", ")
    }

    /// Returns a timer that this clock fires.
    @MainActor
    package func makeDebounceTimer() -> any DebounceTimer { makeTimer() }

    /// Returns a timer that this clock fires and a test can watch.
    @MainActor
    package func makeTimer() -> ManualTimer {
        let timer = ManualTimer(clock: self)
        timers.append(timer)
        return timer
    }

    /// Moves the time forward, stopping at each timer and sleeper that comes due, in the order of
    /// their times. A timer that is set again meanwhile fires again if its new time is reached.
    /// This function does not wait for the woken tasks.
    @MainActor
    public func advance(by duration: Duration) {
        let end = now + duration
        while let due = [nextTimer(by: end)?.due, nextSleeper(by: end)].compactMap(\.self).min() {
            let sleepers = state.withLock { state in
                state.now = max(state.now, due)
                let woken = state.sleepers.filter { $0.value.due <= due }
                for number in woken.keys { state.sleepers[number] = nil }
                return woken.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            }
            for (_, sleeper) in sleepers { sleeper.continuation.resume() }
            if let timer = nextTimer(by: due) { timer.fire() }
        }
        state.withLock { $0.now = end }
    }

    private func nextSleeper(by end: Instant) -> Instant? {
        state.withLock { $0.sleepers.values.map(\.due).filter { $0 <= end }.min() }
    }

    @MainActor
    private func nextTimer(by end: Instant) -> ManualTimer? {
        var next: ManualTimer?
        for timer in timers {
            guard let due = timer.due, due <= end else { continue }
            if let best = next?.due, best <= due { continue }
            next = timer
        }
        return next
    }
}

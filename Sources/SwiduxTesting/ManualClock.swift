import Swidux
import Synchronization

/// A clock that stands still until a test moves it. Tasks that sleep on it wake, and timers made
/// from it fire, when their times come.
///
/// ```swift
/// let clock = ManualClock()
/// store.send(.search("swift"))  // its effect begins with try await clock.sleep(for: .seconds(1))
/// await clock.sleepBegan()
/// clock.advance(by: .seconds(1))
/// await store.settled()
/// ```
public final class ManualClock: Clock, Sendable {
    /// Instants of the system's clock, so that either clock can replace the other.
    public typealias Instant = ContinuousClock.Instant

    private struct Sleeper {
        var due: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = ContinuousClock.now
        var sleepers: [Int: Sleeper] = [:]
        var begun = 0
        var watchers: [Watcher] = []
        var lastNumber = 0
    }

    private let state = Mutex(State())
    @MainActor private var timers: [ManualTimer] = []

    /// A clock that stands at an arbitrary instant.
    public init() {}

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
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(Sleeper(due: deadline, continuation: continuation), number)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ sleeper: Sleeper, _ number: Int) {
        // A cancellation that came first found no sleeper to wake.
        if Task.isCancelled { return sleeper.continuation.resume(throwing: CancellationError()) }
        let (isDue, watchers) = state.withLock { state -> (Bool, [Watcher]) in
            state.begun += 1
            let ready = state.watchers.filter { $0.count <= state.begun }
            state.watchers.removeAll { $0.count <= state.begun }
            guard sleeper.due > state.now else { return (true, ready) }
            state.sleepers[number] = sleeper
            return (false, ready)
        }
        if isDue { sleeper.continuation.resume() }
        for watcher in watchers { watcher.continuation.resume() }
    }

    /// Returns once `count` sleeps have begun since the clock was made, whether or not they have
    /// ended: the task that the test is about to wake is then asleep.
    public func sleepBegan(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.begun < count else { return true }
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// A timer that this clock fires.
    @MainActor
    public func makeTimer() -> ManualTimer {
        let timer = ManualTimer(clock: self)
        timers.append(timer)
        return timer
    }

    /// Moves the time forward, stopping at each timer and sleeper that comes due, in the order of
    /// their times. A timer that is set again on the way fires again if its new time is reached;
    /// tasks that wake go on later.
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

import Dispatch

/// A timer that fires once. Scheduling it again replaces the earlier time.
@MainActor
package protocol DebounceTimer: AnyObject, Sendable {
    /// Calls `body` on the main actor after `delay`. Replaces an earlier schedule.
    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void)

    /// Cancels the scheduled call.
    func cancel()
}

/// A clock that makes its own timers. An example is the manual clock of tests, which fires them
/// within the call that advances it.
package protocol TimerClock: Clock<Duration> {
    /// Returns a timer that this clock fires.
    @MainActor func makeDebounceTimer() -> any DebounceTimer
}

/// Returns a timer that runs on `clock`.
@MainActor
func debounceTimer(on clock: any Clock<Duration>) -> any DebounceTimer {
    switch clock {
    case is ContinuousClock: DispatchDebounceTimer()
    case let clock as any TimerClock: clock.makeDebounceTimer()
    default: SleepingTimer(clock: clock)
    }
}

extension Clock<Duration> {
    /// A function that reads this clock in instants of the system's clock. Any other clock is
    /// mapped to it by the time that has passed since this property was read.
    var systemTime: @Sendable () -> ContinuousClock.Instant {
        if self is ContinuousClock { return { .now } }
        let (start, base) = (now, ContinuousClock.now)
        return { now as? ContinuousClock.Instant ?? base + start.duration(to: now) }
    }
}

/// A timer for a clock that offers only `sleep`.
@MainActor
final class SleepingTimer: DebounceTimer {
    private let clock: any Clock<Duration>
    private var task: Task<Void, Never>?

    init(clock: any Clock<Duration>) { self.clock = clock }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        cancel()
        task = Task { [clock] in
            do { try await clock.sleep(for: delay) } catch { return }
            if !Task.isCancelled { body() }
        }
    }

    func cancel() {
        task?.cancel()
        task = nil
    }
}

/// The real timer: a Dispatch timer source on the main queue, which exists, and wakes the process,
/// only while something is scheduled.
@MainActor
final class DispatchDebounceTimer: DebounceTimer {
    private var source: (any DispatchSourceTimer)?
    /// The number of the present schedule, by which a late firing of a cancelled or replaced
    /// schedule is recognized.
    private var generation = 0

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        cancel()
        let generation = generation
        let source = DispatchSource.makeTimerSource(queue: .main)
        source.schedule(deadline: DispatchTime(after: delay))
        // The main queue does not always run on the main thread, so the task requests isolation and
        // does not assume it.
        source.setEventHandler { @Sendable [weak self] in
            Task { @MainActor in
                guard let self, self.generation == generation else { return }
                self.cancel()
                body()
            }
        }
        self.source = source
        source.activate()
    }

    func cancel() {
        generation += 1
        source?.cancel()
        source = nil
    }
}

extension DispatchTime {
    /// Creates the time `delay` from now, at most twelve days.
    init(after delay: Duration) {
        let (seconds, attoseconds) = max(delay, .zero).components
        self =
            .now()
            + .nanoseconds(
                Int(min(seconds, 1_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}

import Swidux

/// A debounce timer that fires when its ``ManualClock`` reaches its time, or by hand.
@MainActor
package final class ManualTimer: DebounceTimer {
    /// The time at which the timer fires, or nil if nothing is scheduled.
    package private(set) var due: ContinuousClock.Instant?
    /// The number of calls of `schedule`.
    package private(set) var scheduleCount = 0

    private unowned let clock: ManualClock
    private var body: (@MainActor () -> Void)?

    init(clock: ManualClock) { self.clock = clock }

    /// True if the timer is scheduled.
    package var isScheduled: Bool { due != nil }

    package func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        due = clock.now + delay
        self.body = body
        scheduleCount += 1
    }

    package func cancel() {
        due = nil
        body = nil
    }

    /// Fires at once, before its time, if it is scheduled.
    package func fire() {
        let body = body
        cancel()
        body?()
    }
}

import Swidux

/// A debounce timer that fires when its ``ManualClock`` reaches its time, or by hand.
@MainActor
public final class ManualTimer: DebounceTimer {
    /// When it fires, or nil if nothing is scheduled.
    public private(set) var due: ContinuousClock.Instant?
    /// How often it was scheduled.
    public private(set) var scheduleCount = 0

    private unowned let clock: ManualClock
    private var body: (@MainActor () -> Void)?

    init(clock: ManualClock) { self.clock = clock }

    /// Whether it is scheduled.
    public var isScheduled: Bool { due != nil }

    public func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        due = clock.now + delay
        self.body = body
        scheduleCount += 1
    }

    public func cancel() {
        due = nil
        body = nil
    }

    /// Fires at once, whatever the time, if it is scheduled.
    public func fire() {
        let body = body
        cancel()
        body?()
    }
}

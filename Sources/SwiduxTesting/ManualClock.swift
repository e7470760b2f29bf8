import Swidux

/// A clock that stands still until a test moves it, and fires the timers made from it as they come due.
@MainActor
public final class ManualClock {
    /// The time. Starts at an arbitrary instant.
    public private(set) var now: ContinuousClock.Instant = .now

    private var timers: [ManualTimer] = []

    public init() {}

    /// A timer that this clock fires.
    public func makeTimer() -> ManualTimer {
        let timer = ManualTimer(clock: self)
        timers.append(timer)
        return timer
    }

    /// Moves the time forward, stopping at each timer that comes due, in the order of their times. A timer that is set
    /// again on the way fires again if it is still in time.
    public func advance(by duration: Duration) {
        let end = now + duration
        while let next = nextTimer(by: end), let due = next.due {
            now = max(now, due)
            next.fire()
        }
        now = end
    }

    private func nextTimer(by end: ContinuousClock.Instant) -> ManualTimer? {
        var next: ManualTimer?
        for timer in timers {
            guard let due = timer.due, due <= end else { continue }
            if let best = next?.due, best <= due { continue }
            next = timer
        }
        return next
    }
}

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

    /// Fires what is scheduled, if anything is, whatever the time.
    public func fire() {
        let body = body
        cancel()
        body?()
    }
}

import Dispatch

/// A throttle that reports a notification at once, and combines further ones within a short
/// interval into one report at its end.
///
/// If fifty people each change a list once a second, there are fifty commits a second, and every
/// screen receives a notification of each. Fetching for each would keep the server busy with
/// nothing else. A single commit is reported without delay.
///
/// This class is not thread-safe. It is used only on its queue, which justifies `@unchecked`.
final class NotificationThrottle: @unchecked Sendable {
    private let queue: DispatchQueue
    private let body: @Sendable () -> Void
    private var timer = ThrottleTimer()

    init(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.body = body
    }

    /// Records a notification, and reports it now or at the end of the interval.
    func notify() {
        guard let delay = timer.delay(at: .now) else { return }
        guard delay > .zero else { return fire() }
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in self?.fire() }
    }

    private func fire() {
        timer.fired(at: .now)
        body()
    }
}

/// The timing of reports.
struct ThrottleTimer {
    private var last: ContinuousClock.Instant?
    private var isWaiting = false

    /// The minimum interval between reports, which is too short to notice but long compared to a
    /// fetch.
    static let interval = Duration.milliseconds(100)

    /// Returns the delay for a notification that arrives now, or `nil` if a report is already
    /// waiting.
    mutating func delay(at now: ContinuousClock.Instant) -> Duration? {
        guard !isWaiting else { return nil }
        isWaiting = true
        guard let last else { return .zero }
        return max(.zero, Self.interval - last.duration(to: now))
    }

    mutating func fired(at now: ContinuousClock.Instant) {
        last = now
        isWaiting = false
    }
}

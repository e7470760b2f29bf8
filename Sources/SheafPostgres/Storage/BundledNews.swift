import Dispatch

/// Passes news on at once, and what follows within a moment once, at its end.
///
/// Fifty people who change a list once a second make fifty commits a second, and every screen is
/// told of each: unless some are fetched together, the server does nothing else. Where commits come
/// one at a time, nothing waits.
///
/// Not safe by itself: it is used on its queue alone, which is what `@unchecked` rests on.
final class BundledNews: @unchecked Sendable {
    private let queue: DispatchQueue
    private let body: @Sendable () -> Void
    private var pace = NewsPace()

    init(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.body = body
    }

    /// There is something to fetch.
    func come() {
        guard let delay = pace.wait(at: .now) else { return }
        guard delay > .zero else { return pass() }
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in self?.pass() }
    }

    private func pass() {
        pace.passed(at: .now)
        body()
    }
}

/// When news are passed on.
struct NewsPace {
    private var last: ContinuousClock.Instant?
    private var isWaiting = false

    /// Short beside what anybody notices, long beside a fetch.
    static let interval = Duration.milliseconds(100)

    /// How long news that come now wait, or nil if others wait already.
    mutating func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard !isWaiting else { return nil }
        isWaiting = true
        guard let last else { return .zero }
        return max(.zero, Self.interval - last.duration(to: now))
    }

    mutating func passed(at now: ContinuousClock.Instant) {
        last = now
        isWaiting = false
    }
}

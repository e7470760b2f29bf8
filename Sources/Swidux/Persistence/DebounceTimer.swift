import Dispatch

/// A timer that fires once, for whoever schedules it last.
@MainActor
public protocol DebounceTimer: AnyObject {
    /// Calls `body` on the main actor once `delay` is over, in place of what was scheduled before.
    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void)

    /// Forgets what was scheduled; it is not called any more.
    func cancel()
}

/// The real timer: a Dispatch timer source on the main queue, which exists, and wakes the process,
/// only while something is scheduled.
@MainActor
final class DispatchDebounceTimer: DebounceTimer {
    private var source: (any DispatchSourceTimer)?
    /// Tells a firing that was on its way when it was cancelled or replaced.
    private var generation = 0

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        cancel()
        let generation = generation
        let source = DispatchSource.makeTimerSource(queue: .main)
        source.schedule(deadline: DispatchTime(after: delay))
        // The main queue is not always the main thread, so isolation is asked for and not assumed.
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
    /// The time `delay` from now, at most twelve days.
    init(after delay: Duration) {
        let (seconds, attoseconds) = max(delay, .zero).components
        self =
            .now()
            + .nanoseconds(
                Int(min(seconds, 1_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}

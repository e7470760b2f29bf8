import Swidux
import Synchronization

/// One run of an effect in a ``TestStore``, which records its sleeps on manual clocks.
final class EffectRun: Sendable {
    /// The run to which the current task belongs. Nil outside a test store, and in a detached task.
    @TaskLocal static var current: EffectRun?

    private typealias Sleep = (clock: ManualClock, due: ContinuousClock.Instant)

    private let sleeps = Mutex<(last: Int, running: [Int: Sleep])>((0, [:]))

    /// Records a sleep, and returns its number.
    func sleepBegan(on clock: ManualClock, until due: ContinuousClock.Instant) -> Int {
        sleeps.withLock { sleeps in
            sleeps.last += 1
            sleeps.running[sleeps.last] = (clock, due)
            return sleeps.last
        }
    }

    func sleepEnded(_ number: Int) {
        sleeps.withLock { $0.running[number] = nil }
    }

    /// The durations by which the run's clocks must be advanced, as a part of a sentence. Empty if
    /// the run does not sleep.
    var description: String {
        let delays = sleeps.withLock { $0.running.values.map { $0.due - $0.clock.now } }
        guard !delays.isEmpty else { return "" }
        return " (asleep until its clock advances by "
            + delays.sorted().map { "\($0)" }.joined(separator: ", ") + ")"
    }
}

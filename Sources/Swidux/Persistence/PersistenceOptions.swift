/// The delays, the clock and the wording of errors of a ``PersistencePipeline``.
public struct PersistenceOptions {
    /// The time from the last change to the flush.
    package var debounce: Duration
    /// The maximum time from the first uncommitted change to the flush.
    package var maxDelay: Duration
    /// True if nothing is written before the end of loading: see
    /// ``init(debounce:maxDelay:waitsForHydration:clock:describe:)``.
    package var waitsForHydration: Bool
    /// Returns the time by which delays, backoff and latencies are measured.
    package var now: @MainActor () -> ContinuousClock.Instant
    /// Makes the timer of the flushes.
    package var makeTimer: @MainActor () -> any DebounceTimer
    /// Describes an error of storage to the user in a few words.
    package var describe: @MainActor (any Error) -> String

    /// Creates the options of a pipeline.
    ///
    /// - Parameters:
    ///   - debounce: the time from the last change to the flush.
    ///   - maxDelay: the maximum time from the first uncommitted change to the flush.
    ///   - waitsForHydration: true to write nothing before loading has ended, that is, before
    ///     ``EntityStore/endHydration()`` was called on every store that the pipeline writes.
    ///     Changes are kept meanwhile.
    ///   - clock: the clock by which delays, backoff and latencies are measured. The default clock
    ///     uses a Dispatch timer, which wakes the process only while a flush is due.
    ///   - describe: describes an error of storage to the user in a few words.
    public init(
        debounce: Duration = .milliseconds(250),
        maxDelay: Duration = .seconds(1),
        waitsForHydration: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(),
        describe: @escaping @MainActor (any Error) -> String = { String(describing: $0) }
    ) {
        self.debounce = debounce
        self.maxDelay = maxDelay
        self.waitsForHydration = waitsForHydration
        now = clock.systemTime
        makeTimer = { debounceTimer(on: clock) }
        self.describe = describe
    }

    /// Creates the options of a pipeline that uses `now` as its clock, and `timer` or, if that is
    /// nil, a Dispatch timer.
    package init(
        debounce: Duration = .milliseconds(250),
        maxDelay: Duration = .seconds(1),
        waitsForHydration: Bool = false,
        now: @escaping @MainActor () -> ContinuousClock.Instant,
        timer: (any DebounceTimer)? = nil,
        describe: @escaping @MainActor (any Error) -> String = { String(describing: $0) }
    ) {
        self.init(
            debounce: debounce, maxDelay: maxDelay, waitsForHydration: waitsForHydration,
            describe: describe)
        self.now = now
        if let timer { makeTimer = { timer } }
    }
}

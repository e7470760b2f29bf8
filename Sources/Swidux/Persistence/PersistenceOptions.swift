/// The delays, the clock and the wording of errors of a ``PersistenceMiddleware``.
public struct PersistenceOptions {
    /// How long after the last change a flush begins.
    public var debounce: Duration
    /// How long after the first uncommitted change a flush begins at the latest.
    public var maxDelay: Duration
    /// Whether nothing is written before the end of loading, which is when every store that the
    /// pipeline writes has had its ``EntityStore/endHydration()``. Changes are kept meanwhile.
    public var waitsForHydration: Bool
    /// The clock that delays, backoff and latencies are measured by.
    public var now: @MainActor () -> ContinuousClock.Instant
    /// The timer, or nil for one of the main queue.
    public var timer: (any DebounceTimer)?
    /// A few words for the user about why storage failed.
    public var describe: @MainActor (any Error) -> String

    /// The usual delays by the system's clock, except for what is given.
    public init(
        debounce: Duration = .milliseconds(250),
        maxDelay: Duration = .seconds(1),
        waitsForHydration: Bool = false,
        now: @escaping @MainActor () -> ContinuousClock.Instant = { .now },
        timer: (any DebounceTimer)? = nil,
        describe: @escaping @MainActor (any Error) -> String = { String(describing: $0) }
    ) {
        self.debounce = debounce
        self.maxDelay = maxDelay
        self.waitsForHydration = waitsForHydration
        self.now = now
        self.timer = timer
        self.describe = describe
    }
}

/// Tells a loop of actions from fast typing and from a long life.
///
/// Every action that another caused, by a subscriber or an effect, is one link further than that
/// other. A loop makes its chain grow without end and at full speed, whether or not it touches an
/// entity; typing makes no chain, and a clock that ticks by effects makes a slow one, which begins
/// anew every second.
struct CausalChain: Sendable {
    private static let limit = 1000
    private static let window = Duration.seconds(1)

    private var length: Int
    private var start: ContinuousClock.Instant

    /// The chain of an action that nothing caused.
    init(beginningAt time: ContinuousClock.Instant) {
        length = 0
        start = time
    }

    /// The chain of an action that the end of `cause` caused.
    init(after cause: CausalChain?, at time: ContinuousClock.Instant) {
        self = cause ?? CausalChain(beginningAt: time)
        if time - start > Self.window { self = CausalChain(beginningAt: time) }
        length += 1
    }

    var isLoop: Bool { length >= Self.limit }
}

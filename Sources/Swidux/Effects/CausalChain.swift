/// Tells a loop of actions from fast typing and from slow chains.
///
/// An action that another caused, through a subscriber or an effect, is one link further in the
/// chain. A loop makes its chain grow endlessly at full speed, whether or not it touches an entity;
/// typing makes no chain, and a clock that ticks through effects makes a slow one, which starts
/// over every second.
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

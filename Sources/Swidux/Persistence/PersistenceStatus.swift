/// The state of the pipeline to storage, for a status bar. A value; times are instants of the
/// pipeline's clock.
public struct PersistenceStatus: Sendable, Equatable {
    /// The state in one word.
    public enum Phase: Sendable, Hashable {
        /// Everything is committed. It is said of nothing else.
        case saved
        /// Changes wait for the next flush.
        case unsaved
        /// A flush is in flight.
        case saving
        /// The last flush failed, or storage refused rows that are set aside.
        case failing
    }

    /// Counts of operations since the pipeline began.
    package struct Counters: Sendable, Hashable {
        /// Actions seen. It alone may be behind in a status that was published.
        package var actions = 0
        /// Entities that actions changed, each counted once an action.
        package var changes = 0
        /// Changes that took the place of one still pending, and so were never written.
        package var coalesced = 0
        /// Batches committed.
        package var batches = 0
        /// Rows committed.
        package var rows = 0
        /// Flushes that failed.
        package var failures = 0
        /// Flushes that were tried again after a failure.
        package var retries = 0
        /// Edits that had to yield to one of another process, or the other way round; both are kept
        /// in storage.
        package var conflicts = 0
        /// How often something of storage's was taken in; see ``Arrival``.
        package var adoptions = 0
        /// How long each of the last 32 commits took, from handing it over to its confirmation; the
        /// newest is last.
        package var latencies: [Duration] = []

        /// Nothing has happened.
        package init() {}
    }

    /// Where the pipeline stands; failing is said before unsaved, saving before both.
    public var phase: Phase = .saved
    /// Changes not yet handed to storage.
    package var pending = 0
    /// Changes handed to storage and not yet confirmed.
    package var inFlight = 0
    /// When the next flush is due, or nil if none is.
    package var flushDue: ContinuousClock.Instant?
    /// Why the last flush failed, or nil once one has succeeded.
    public var failure: String?
    /// When the failed batch is tried again, or nil.
    public var nextTry: ContinuousClock.Instant?
    /// The changes that storage refused, oldest first.
    public var refused: [Refusal] = []
    /// Totals since the pipeline began.
    package var counters = Counters()

    /// Nothing to save, nothing saved yet.
    public init() {}

    /// The reason why a change is not saved: the error of the failed flush, or the reason of the
    /// last refusal.
    package var reasonNotSaved: String? { failure ?? refused.last?.reason }

    /// Changes that are not committed: pending, in flight or refused.
    public var uncommitted: Int { pending + inFlight + refused.count }
}

/// How one entity stands with storage.
package enum EntitySaveState: Sendable, Hashable {
    /// Storage has confirmed it, or never heard of a change.
    case committed
    /// A change waits for the next flush.
    case pending
    /// A change was handed to storage and is not yet confirmed.
    case inFlight
    /// Set aside, with storage's reason.
    case refused(String)
}

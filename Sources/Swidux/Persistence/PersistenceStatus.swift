/// The state of a persistence pipeline, for a status bar. Times are instants of the pipeline's
/// clock.
public struct PersistenceStatus: Sendable, Equatable {
    /// The state in one word.
    public enum Phase: Sendable, Hashable {
        /// All changes are committed.
        case saved
        /// Some changes wait for the next flush.
        case unsaved
        /// A flush is in flight.
        case saving
        /// The last flush failed, or storage refused changes, which are set aside.
        case failing
    }

    /// Numbers of operations since the pipeline began.
    package struct Counters: Sendable, Hashable {
        /// Handled actions. A change of this counter alone is not published.
        package var actions = 0
        /// Entities that actions changed, each counted once per action.
        package var changes = 0
        /// Changes that were combined with a pending change of the same entity, and so needed no
        /// write of their own.
        package var coalesced = 0
        /// Batches committed.
        package var batches = 0
        /// Rows committed.
        package var rows = 0
        /// Flushes that failed.
        package var failures = 0
        /// Flushes that were tried again after a failure.
        package var retries = 0
        /// Conflicts in which an edit of this process overrode one of another process, or the
        /// reverse.
        package var conflicts = 0
        /// Adopted reports of storage; see ``Arrival``.
        package var adoptions = 0
        /// The durations of the last 32 commits, from the start of a commit to its confirmation,
        /// the newest last.
        package var latencies: [Duration] = []

        /// Counters that are all zero.
        package init() {}
    }

    /// The phase of the pipeline. If several apply, saving comes before failing, and failing before
    /// unsaved.
    public var phase: Phase = .saved
    /// Changes not yet handed to storage.
    package var pending = 0
    /// Changes handed to storage and not yet confirmed.
    package var inFlight = 0
    /// The time at which the next flush is due, or nil if none is.
    package var flushDue: ContinuousClock.Instant?
    /// The reason why the last flush or the log failed, or nil once a flush has succeeded.
    public var failure: String?
    /// The time of the next attempt to commit a failed batch, or nil.
    public var nextTry: ContinuousClock.Instant?
    /// The changes that storage refused, oldest first.
    public var refused: [Refusal] = []
    /// Totals since the pipeline began.
    package var counters = Counters()

    /// Creates the status of a pipeline that has not saved anything yet, and has nothing to save.
    public init() {}

    /// The reason why a change is not saved: the error of the failed flush, or the reason of the
    /// last refusal.
    package var reasonNotSaved: String? { failure ?? refused.last?.reason }

    /// Changes that are not committed: pending, in flight or refused.
    public var uncommitted: Int { pending + inFlight + refused.count }
}

/// The progress of saving the changes of one entity.
package enum EntitySaveState: Sendable, Hashable {
    /// Storage has confirmed all changes, or there were none.
    case committed
    /// A change waits for the next flush.
    case pending
    /// A change was handed to storage and is not yet confirmed.
    case inFlight
    /// Storage refused a change, which is set aside. The value is the reason.
    case refused(String)
}

/// What storage answers when a batch is committed: what of it storage now holds otherwise than it
/// was asked to.
///
/// With the values in it nobody has to read them again. A ``PersistenceMiddleware`` that knows how
/// to make an action of an ``Arrival`` hands them to the reducer.
public struct CommitResult<Changes: Sendable>: Sendable {
    /// The changes that were left out; everything else is durable. One whose row is in ``stored``
    /// is given up: the state gets that row.
    public var refused: [Refusal]

    /// Rows that storage now holds otherwise than they were committed, as they are there: those
    /// that were merged, those that were not deleted, those whose change was refused, and those
    /// that stand in for refused ones. Nil if there are none.
    public var stored: Changes?

    /// The entities that another process had changed too, where one edit had to yield:
    /// ``StorageMerge`` says how.
    public var conflicts: [StorageConflict]

    /// Those of the refused entities in whose place there is another one, and the id of that one,
    /// which is in ``stored``. They count as refused until the reducer has replaced them.
    public var substitutes: [AnyID: AnyID]

    /// Whether others have committed something that is not in this result.
    public var isBehind: Bool

    /// A result of a commit that did what it was asked to, unless it is said otherwise.
    public init(
        refused: [Refusal] = [], stored: Changes? = nil, conflicts: [StorageConflict] = [],
        substitutes: [AnyID: AnyID] = [:], isBehind: Bool = false
    ) {
        self.refused = refused
        self.stored = stored
        self.conflicts = conflicts
        self.substitutes = substitutes
        self.isBehind = isBehind
    }
}

/// The answer of storage to a commit: the rows that storage now holds otherwise than the batch
/// asked.
///
/// The result of a commit to shared storage contains their values, so no reader has to load them
/// again. A pipeline that can create an action from an `Arrival` passes them to the reducer.
public struct CommitResult<Changes: Sendable>: Sendable {
    /// The changes that were left out; everything else is durable. One whose row is in `stored` is
    /// given up: the state gets that row.
    package var refused: [Refusal]

    /// Rows that storage now holds otherwise than they were committed, as they are there: those
    /// that were merged, those that were not deleted, those whose change was refused, and those
    /// that stand in for refused ones. Nil if there are none.
    package var stored: Changes?

    /// The entities that another process had changed too, where one edit had to yield:
    /// ``StorageMerge`` says how.
    package var conflicts: [StorageConflict]

    /// Those of the refused entities in whose place there is another one, and the id of that one,
    /// which is in ``stored``. They count as refused until the reducer has replaced them.
    package var substitutes: [AnyID: AnyID]

    /// Whether others have committed something that is not in this result.
    package var isBehind: Bool

    /// Creates the result of a commit that made everything durable, except for the refused changes.
    public init(refused: [Refusal] = []) { self.init(refused: refused, stored: nil) }

    /// The result of a commit to storage that others write to as well.
    package init(
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

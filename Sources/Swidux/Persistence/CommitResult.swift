/// The answer of storage to a commit: the rows that now differ in storage from the committed batch.
///
/// The result of a commit to shared storage contains their values, so no reader has to load them
/// again. A pipeline that can create an action from an `Arrival` passes them to the reducer.
public struct CommitResult<Changes: Sendable>: Sendable {
    /// The changes that storage refused. All others are durable. If the row of a refused change is
    /// in `stored`, the change is discarded, and the state receives that row.
    package var refused: [Refusal]

    /// The stored rows that differ from the committed batch: rows that were merged, rows that were
    /// not deleted, rows whose change was refused, and rows that replace refused ones. Nil if there
    /// are none.
    package var stored: Changes?

    /// The entities that another process had also changed, so that one edit has overridden the
    /// other. ``StorageMerge`` decides which.
    package var conflicts: [StorageConflict]

    /// The refused entities that another entity replaces, each with the id of its replacement,
    /// which is in ``stored``. They count as refused until the reducer has replaced them.
    package var substitutes: [AnyID: AnyID]

    /// True if other processes have committed changes that are not in this result.
    package var isBehind: Bool

    /// Creates the result of a commit that made everything durable, except for the refused changes.
    public init(refused: [Refusal] = []) { self.init(refused: refused, stored: nil) }

    /// Creates the result of a commit to storage that other processes also write to.
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

/// A report from storage: rows that other processes have committed, or rows of a commit that
/// storage changed or refused.
///
/// The pipeline creates an arrival only at its turn among the actions, so that it fits the state
/// that the reducer receives. Its rows are already reconciled with the pending changes. An arrival
/// is never empty.
///
/// ```swift
/// case .arrived(let arrival):
///     state.tags.adopt(arrival.changes.tags)
///     state.items.adopt(arrival.changes.items)
/// ```
package struct Arrival<Changes: Sendable>: Sendable {
    /// The values to show from now on, for ``EntityStore/adopt(_:)``: merged values for entities
    /// with pending changes.
    package var changes: Changes

    /// The entities for which one of two conflicting edits has overridden the other. The state
    /// still has the earlier value. If the new value differs, it is in ``changes``.
    package var conflicts: [StorageConflict]

    /// The entities that storage refused in favor of an existing entity, each with the id of that
    /// existing entity, which is in the state once ``changes`` are adopted.
    package var substitutes: [AnyID: AnyID]

    /// Creates an arrival, for tests of a reducer.
    package init(
        _ changes: Changes, conflicts: [StorageConflict] = [], substitutes: [AnyID: AnyID] = [:]
    ) {
        self.changes = changes
        self.conflicts = conflicts
        self.substitutes = substitutes
    }
}

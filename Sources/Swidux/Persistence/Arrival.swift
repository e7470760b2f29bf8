/// A report from storage: rows that other processes have committed, or rows of a commit that
/// storage changed or refused.
///
/// ``PersistenceMiddleware`` creates it when its turn among the actions has come, so that it fits
/// the state that the reducer receives: the rows are already reconciled with the pending changes.
/// An arrival is never empty.
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

    /// The entities where one of two edits had to yield. The value before is still in the state; a
    /// value after that differs from it is in ``changes``.
    package var conflicts: [StorageConflict]

    /// Entities of the state that storage has refused in favour of another one, and the id of that
    /// one, which is in the state once ``changes`` are adopted.
    package var substitutes: [AnyID: AnyID]

    /// An arrival, for tests of a reducer.
    package init(
        _ changes: Changes, conflicts: [StorageConflict] = [], substitutes: [AnyID: AnyID] = [:]
    ) {
        self.changes = changes
        self.conflicts = conflicts
        self.substitutes = substitutes
    }
}

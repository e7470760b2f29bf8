/// What storage has told of: rows that others have committed, or what it did otherwise than a
/// commit asked it to.
///
/// ``PersistenceMiddleware`` makes it when its turn among the actions has come, so that it fits the
/// state that the reducer is given: the rows are already brought together with the changes that
/// wait. It is never empty.
///
/// ```swift
/// case .arrived(let arrival):
///     state.tags.adopt(arrival.changes.tags)
///     state.items.adopt(arrival.changes.items)
/// ```
public struct Arrival<Changes: Sendable>: Sendable {
    /// What to show from now on, for ``EntityStore/adopt(_:)``: merged values where a change waits.
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

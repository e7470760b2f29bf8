/// The changes of all steps to one entity store. ``EntityUndoChanges`` implements it for each type
/// of entity.
@MainActor
protocol UndoChanges<State>: AnyObject {
    associatedtype State

    /// Remembers the revision of the store before a command.
    func begin(_ state: State)

    /// Keeps the changes since ``begin(_:)`` under the number of a step, and returns the changed
    /// ids.
    func end(_ state: State, step: Int) -> [AnyID]

    /// Joins two successive steps that changed the same entity.
    func join(_ newer: Int, into older: Int)

    /// Adds the keys that the step's changes provide and need.
    func addKeys(of step: Int, to keys: inout UndoKeys)

    /// Adds the step's changes to the groups of `progress`, from `progress.place` on and at most
    /// `progress.room`.
    func check(_ state: State, _ progress: inout UndoProgress)

    /// Restores the entities for which the step has a value, or removes those for which it has
    /// none, from `progress.place` on and at most `progress.room`.
    func apply(
        to state: inout State, _ progress: inout UndoProgress, restores: Bool
    ) -> UndoOutcome

    /// Adds the changes of an applied step to `groups`. Changes that an arrival overrides are
    /// refused.
    func checkArrival(_ step: UnsettledStep, _ state: State, _ groups: UndoGroups)

    /// Reverts the refused changes of an applied step. `hasReverted` is true if there were any.
    func revert(
        _ step: UnsettledStep, _ state: inout State, _ groups: UndoGroups, first: Int
    ) -> (outcome: UndoOutcome, hasReverted: Bool)

    /// Returns the bytes that the step holds.
    func size(of step: Int) -> Int

    /// Returns the number of entities that the step touched.
    func count(of step: Int) -> Int

    func forget(_ step: Int)
}

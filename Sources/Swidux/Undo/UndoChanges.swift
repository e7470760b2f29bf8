/// The changes of all steps to one entity store, for any type of entities: ``EntityUndoChanges``.
@MainActor
protocol UndoChanges<State>: AnyObject {
    associatedtype State

    /// The store, in the state.
    var store: StorePath { get }

    /// Remembers the revision of the store before a command.
    func begin(_ state: State)

    /// Keeps the changes since then under the number of a step, and returns the ids.
    func end(_ state: State, step: Int) -> [AnyID]

    /// Joins two successive steps that changed the same entity.
    func join(_ newer: Int, into older: Int)

    /// Adds the keys that the step's changes provide and need.
    func addKeys(of step: Int, to keys: inout UndoKeys)

    /// Adds the step's changes to the groups of `progress`, from where that stands and as many as
    /// it has room for.
    func check(
        _ step: Int, _ direction: UndoReport.Direction, _ state: State,
        _ progress: inout UndoProgress
    )

    /// Puts back the entities that the step has a value for, from where `progress` stands and as
    /// many as it has room for.
    func restore(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State,
        _ progress: inout UndoProgress
    ) -> UndoOutcome

    /// Removes the entities for which the step has no value.
    func remove(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State,
        _ progress: inout UndoProgress
    ) -> UndoOutcome

    /// Adds the changes of a step that was applied, with those refused that an arrival overrules.
    func checkArrival(
        _ step: Int, _ direction: UndoReport.Direction, _ state: State, _ groups: UndoGroups
    )

    /// Reverts the refused changes of a step that was applied, and returns whether there were any.
    func revert(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State,
        _ groups: UndoGroups, first: Int, _ outcome: inout UndoOutcome
    ) -> Bool

    /// The bytes that the step holds.
    func size(of step: Int) -> Int

    /// How many entities the step touched.
    func count(of step: Int) -> Int

    func forget(_ step: Int)
}

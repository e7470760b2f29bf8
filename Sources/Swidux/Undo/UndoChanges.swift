/// An ``EntityUndoChanges`` with the type of its entities erased; closures, and a class, for the
/// same reasons as ``ChangeBuffer``.
@MainActor
@usableFromInline final class UndoChanges<State> {
    @usableFromInline typealias Restoration =
        (Int, UndoReport.Direction, inout State, inout UndoProgress) -> UndoOutcome

    @usableFromInline typealias Reversion =
        (Int, UndoReport.Direction, inout State, UndoGroups, Int, inout UndoOutcome) -> Bool

    let keyPath: AnyKeyPath & Sendable
    private let beginning: (State) -> Void
    private let ending: (State, Int) -> [AnyID]
    private let joining: (Int, Int) -> Void
    private let addingKeys: (Int, inout UndoKeys) -> Void
    private let checking: (Int, UndoReport.Direction, State, inout UndoProgress) -> Void
    private let restoring: Restoration
    private let removing: Restoration
    private let checkingArrival: (Int, UndoReport.Direction, State, UndoGroups) -> Void
    private let reverting: Reversion
    private let sizes: (Int) -> Int
    private let counts: (Int) -> Int
    private let forgetting: (Int) -> Void

    @usableFromInline init(
        keyPath: AnyKeyPath & Sendable,
        begin: @escaping (State) -> Void,
        end: @escaping (State, Int) -> [AnyID],
        join: @escaping (Int, Int) -> Void,
        addKeys: @escaping (Int, inout UndoKeys) -> Void,
        check: @escaping (Int, UndoReport.Direction, State, inout UndoProgress) -> Void,
        restore: @escaping Restoration,
        remove: @escaping Restoration,
        checkArrival: @escaping (Int, UndoReport.Direction, State, UndoGroups) -> Void,
        revert: @escaping Reversion,
        size: @escaping (Int) -> Int,
        count: @escaping (Int) -> Int,
        forget: @escaping (Int) -> Void
    ) {
        self.keyPath = keyPath
        beginning = begin
        ending = end
        joining = join
        addingKeys = addKeys
        checking = check
        restoring = restore
        removing = remove
        checkingArrival = checkArrival
        reverting = revert
        sizes = size
        counts = count
        forgetting = forget
    }

    @inlinable convenience init<Entity>(_ changes: EntityUndoChanges<State, Entity>) {
        self.init(
            keyPath: changes.keyPath,
            begin: { changes.begin($0) },
            end: { changes.end($0, step: $1) },
            join: { changes.join($0, into: $1) },
            addKeys: { changes.addKeys(of: $0, to: &$1) },
            check: { changes.check($0, $1, $2, &$3) },
            restore: { changes.restore($0, $1, &$2, &$3) },
            remove: { changes.remove($0, $1, &$2, &$3) },
            checkArrival: { changes.checkArrival($0, $1, $2, $3) },
            revert: { changes.revert($0, $1, &$2, $3, first: $4, &$5) },
            size: { changes.size(of: $0) },
            count: { changes.count(of: $0) },
            forget: { changes.forget($0) })
    }

    /// Remembers the revision of the store before a command.
    func begin(_ state: State) { beginning(state) }

    /// Keeps the changes since then under the number of a step, and returns the ids.
    func end(_ state: State, step: Int) -> [AnyID] { ending(state, step) }

    /// Joins two successive steps that changed the same entity.
    func join(_ newer: Int, into older: Int) { joining(newer, older) }

    /// Adds the keys that the step's changes provide and need.
    func addKeys(of step: Int, to keys: inout UndoKeys) { addingKeys(step, &keys) }

    /// Adds the step's changes to the groups of `progress`, from where that stands and as many as
    /// it has room for.
    func check(
        _ step: Int, _ direction: UndoReport.Direction, _ state: State,
        _ progress: inout UndoProgress
    ) { checking(step, direction, state, &progress) }

    /// Puts back the entities that the step has a value for, from where `progress` stands and as
    /// many as it has room for.
    func restore(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State,
        _ progress: inout UndoProgress
    ) -> UndoOutcome { restoring(step, direction, &state, &progress) }

    /// The same of those that the step has no value for: they are removed.
    func remove(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State,
        _ progress: inout UndoProgress
    ) -> UndoOutcome { removing(step, direction, &state, &progress) }

    /// Adds the changes of a step that was applied, with those refused that an arrival overrules.
    func checkArrival(
        _ step: Int, _ direction: UndoReport.Direction, _ state: State, _ groups: UndoGroups
    ) { checkingArrival(step, direction, state, groups) }

    /// Reverts the refused changes of a step that was applied, and returns whether there were any.
    func revert(
        _ step: Int, _ direction: UndoReport.Direction, _ state: inout State,
        _ groups: UndoGroups, first: Int, _ outcome: inout UndoOutcome
    ) -> Bool { reverting(step, direction, &state, groups, first, &outcome) }

    /// The bytes that the step holds.
    func size(of step: Int) -> Int { sizes(step) }

    /// How many entities the step touched.
    func count(of step: Int) -> Int { counts(step) }

    func forget(_ step: Int) { forgetting(step) }
}

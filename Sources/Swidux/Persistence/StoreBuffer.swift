import OrderedCollections

/// The part of a ``ChangeBuffer`` that belongs to one entity store. ``EntityBuffer`` implements it
/// for each type of entity.
@MainActor
protocol StoreBuffer<State, Changes>: AnyObject {
    associatedtype State
    associatedtype Changes: Sendable

    /// The changes that storage refused.
    var refusals: [Refusal] { get }

    /// Treats the present content of the store as committed.
    func begin(with state: inout State)

    /// Returns true if the store has been loaded completely.
    func isHydrated(_ state: State) -> Bool

    /// Adds the changes since the last drain to `pending`. Returns the number of changed entities,
    /// and the number of those that were already pending.
    ///
    /// Hydrated rows never override a waiting change: if a row did so in the state, the state
    /// receives the value of the change again.
    func drain(
        _ state: inout State, to pending: inout Changes, inFlight: Changes
    ) -> (changes: Int, coalesced: Int)

    /// Returns the number of changed entities. O(1).
    func count(of changes: Changes) -> Int

    /// Adds the changes of the last drain, which are part of `pending`, to `changes`.
    func addLastDrained(of pending: Changes, to changes: inout Changes)

    /// Adds `later` changes to `changes`.
    func add(_ later: Changes, to changes: inout Changes)

    /// Adds the refused changes to `changes`.
    func addRefused(to changes: inout Changes)

    /// Adds the rows that storage is known to have to `known`.
    func addKnown(to known: inout Changes, pending: Changes, inFlight: Changes)

    /// Records that the flight was committed with `result`. Returns the number of committed rows.
    func commitSucceeded(
        _ inFlight: Changes, _ result: CommitResult<Changes>, pending: inout Changes
    ) -> Int

    /// See ``ChangeBuffer/confirm(_:)``.
    func confirm(_ made: Changes, in pending: inout Changes) -> Bool

    /// See ``ChangeBuffer/rebase(onto:)``.
    func rebase(
        _ pending: inout Changes, onto theirs: Changes, showing shown: inout Changes,
        _ result: inout Rebase)

    /// Returns true if `store` is this store or nil.
    func matches(_ store: AnyKeyPath?) -> Bool

    func saveState(
        of id: AnyID, in store: AnyKeyPath?, pending: Changes, inFlight: Changes
    ) -> EntitySaveState
}

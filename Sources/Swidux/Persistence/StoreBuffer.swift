import OrderedCollections

/// The part of a ``ChangeBuffer`` that belongs to one entity store, for any type of entities:
/// ``EntityBuffer``.
@MainActor
protocol StoreBuffer<State, Changes>: AnyObject {
    associatedtype State
    associatedtype Changes: Sendable

    /// The changes that storage refused.
    var refusals: [Refusal] { get }

    /// Takes the store as it is for committed.
    func begin(with state: inout State)

    /// Whether nothing more of the store is to be loaded.
    func isHydrated(_ state: State) -> Bool

    /// Adds the changes since the last drain to `pending`. Returns how many entities were changed,
    /// and how many of them were pending already.
    ///
    /// Rows that were taken in meanwhile never override a change that waits: the state gets the
    /// value of the change back.
    func drain(
        _ state: inout State, to pending: inout Changes, inFlight: Changes
    ) -> (changes: Int, coalesced: Int)

    /// The number of changed entities. O(1).
    func count(of changes: Changes) -> Int

    /// Adds the changes of the last drain, which are among `pending`.
    func addFresh(of pending: Changes, to fresh: inout Changes)

    /// Adds `later` changes to `changes`.
    func add(_ later: Changes, to changes: inout Changes)

    /// Adds the refused changes.
    func addRefused(to changes: inout Changes)

    /// Adds the rows that storage is known to have.
    func addKnown(to known: inout Changes, pending: Changes, inFlight: Changes)

    /// The flight was committed as `result` says. Returns the number of rows committed.
    func commitSucceeded(
        _ inFlight: Changes, _ result: CommitResult<Changes>, pending: inout Changes
    ) -> Int

    /// See ``ChangeBuffer/confirm(_:)``.
    func confirm(_ made: Changes, in pending: inout Changes) -> Bool

    /// See ``ChangeBuffer/rebase(onto:)``.
    func rebase(
        _ pending: inout Changes, onto theirs: Changes, showing shown: inout Changes,
        _ result: inout Rebase)

    /// Whether `store` is this one, or nil.
    func isThis(_ store: AnyKeyPath?) -> Bool

    func saveState(
        of id: AnyID, in store: AnyKeyPath?, pending: Changes, inFlight: Changes
    ) -> EntitySaveState
}

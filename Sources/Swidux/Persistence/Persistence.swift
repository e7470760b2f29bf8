/// The interface of ``PersistencePipeline`` to a ``Store``, without the type of the changes.
@MainActor
package protocol Persistence<State>: AnyObject {
    /// The state that is saved.
    associatedtype State

    /// The changes that are pending, in flight, committed or failing.
    var status: PersistenceStatus { get }

    /// The number of the flush that will commit the current changes.
    var nextFlush: Int { get }

    /// The number of the last committed flush whose results are all in the state.
    var settledFlush: Int { get }

    /// Treats the entities in `state` as committed. A store calls this once, when it is created.
    func begin(with state: inout State)

    /// Drains the changes of an action, and schedules their flush.
    func afterReduce(state: inout State)

    /// Writes all changes at once, and returns when they are committed or the commit has failed.
    func flush() async

    /// Writes all changes at once. Blocks the thread until they are committed, the commit has
    /// failed, or `limit` has passed. Returns true if everything is saved.
    func flushNow(within limit: Duration) -> Bool

    /// Returns how far the entity with this id is saved. `store` is its store in the state. It may
    /// be nil if ids are unique across all stores.
    func saveState(
        of id: some Hashable & Sendable, in store: PartialKeyPath<State>?
    ) -> EntitySaveState
}

extension Persistence {
    /// Writes all changes at once, and blocks the thread for ten seconds at most.
    @discardableResult
    package func flushNow() -> Bool { flushNow(within: .seconds(10)) }
}

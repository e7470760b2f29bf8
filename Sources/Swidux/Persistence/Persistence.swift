/// The pipeline that saves the state of a ``Store``, for any type of changes:
/// ``PersistencePipeline``.
@MainActor
package protocol Persistence<State>: AnyObject {
    /// The state that is saved.
    associatedtype State

    /// The changes that are pending, in flight, committed or failing.
    var status: PersistenceStatus { get }

    /// The number of the flush that will commit the current changes.
    var nextFlush: Int { get }

    /// The last flush about which storage has told everything.
    var settledFlush: Int { get }

    /// Takes the entities in `state` for committed. A store calls it once, when it begins.
    func begin(with state: inout State)

    /// Drains the changes of an action, and sees to it that they are written in time.
    func afterReduce(state: inout State)

    /// Writes everything at once, and returns when it is committed or has failed.
    func flush() async

    /// Writes everything at once, and blocks the thread until it is committed or has failed, or
    /// `limit` is over. Returns whether everything is saved.
    func flushNow(within limit: Duration) -> Bool

    /// Returns whether the entity with this id is saved. `store` is its store in the state; nil is
    /// for ids that no two stores share.
    func saveState(
        of id: some Hashable & Sendable, in store: PartialKeyPath<State>?
    ) -> EntitySaveState
}

extension Persistence {
    /// Writes everything at once, and blocks the thread for ten seconds at most.
    @discardableResult
    package func flushNow() -> Bool { flushNow(within: .seconds(10)) }
}

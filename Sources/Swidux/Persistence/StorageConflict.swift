/// An entity that was changed here and elsewhere so that one edit had to yield.
package struct StorageConflict: Sendable, Hashable {
    /// The outcome of the edit of this process.
    package enum Outcome: Sendable, Hashable {
        /// It stands as it was made.
        case kept
        /// It stands, though another process had deleted the entity.
        case restored
        /// It stands, and has taken in something of the other, as ``StorageMerge`` says.
        case merged
        /// It was a deletion, and the entity is there again.
        case notDeleted
        /// It stands without its reference to the entity with the id, which another process has
        /// deleted.
        case lostReference(to: AnyID)
        /// It was the deletion of the entity with the id, which took away the reference to that
        /// one that another process had made here.
        case tookReference(to: AnyID)
        /// It stands without the name that it gave, which the entity with the id has.
        case lostName(to: AnyID)
    }

    /// The id of the entity.
    package var id: AnyID
    /// The outcome of the edit of this process.
    package var outcome: Outcome
    private let path: StorePath?

    /// The store of the entity, from the state or from storage.
    package var store: AnyKeyPath? { path?.keyPath }

    /// The conflict of one entity. `store` is as in ``Refusal/init(id:in:reason:)``.
    package init(
        id: some Hashable & Sendable, in store: AnyKeyPath? = nil, outcome: Outcome
    ) {
        self.id = AnyID(id)
        self.outcome = outcome
        path = store.map { StorePath($0) }
    }
}

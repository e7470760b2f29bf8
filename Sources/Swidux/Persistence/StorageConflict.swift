/// An entity that this process and another one have changed, so that one edit has overridden the
/// other.
package struct StorageConflict: Sendable, Hashable {
    /// The outcome of the edit of this process.
    package enum Outcome: Sendable, Hashable {
        /// The edit was kept unchanged.
        case kept
        /// The edit was kept, although another process had deleted the entity.
        case restored
        /// The edit was merged with the other one by ``StorageMerge``.
        case merged
        /// The edit was a deletion, and the entity has returned.
        case notDeleted
        /// The edit was kept without its reference to the entity with this id, which another
        /// process has deleted.
        case lostReference(to: AnyID)
        /// The edit was the deletion of the entity with this id. It removed a reference to that
        /// entity, which another process had added to this one.
        case tookReference(to: AnyID)
        /// The edit was kept without its new name, which the entity with this id already has.
        case lostName(to: AnyID)
    }

    /// The id of the entity.
    package var id: AnyID
    /// The outcome of the edit of this process.
    package var outcome: Outcome
    /// The store of the entity, in the state or in the changes.
    nonisolated(unsafe) package let store: AnyKeyPath?

    /// Creates the conflict of one entity. `store` is as in ``Refusal/init(id:in:reason:)``.
    package init(
        id: some Hashable & Sendable, in store: AnyKeyPath? = nil, outcome: Outcome
    ) {
        self.id = AnyID(id)
        self.outcome = outcome
        self.store = store
    }
}

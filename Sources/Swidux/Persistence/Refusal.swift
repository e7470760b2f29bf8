/// A change that storage refused because of a constraint, while it committed the rest of the batch.
///
/// The change is set aside, and the next change of the entity replaces it. If storage reports its
/// own value (`CommitResult.stored`), the state gets that.
public struct Refusal: Sendable, Hashable {
    /// The id of the entity whose change was refused.
    package var id: AnyID
    /// A sentence for the user.
    public var reason: String
    // Unchecked, because `AnyKeyPath` is not Sendable. It is immutable, and only compared.
    /// The store of the entity. In a ``PersistenceStatus`` it is the store in the state. Nil if
    /// storage did not report it.
    nonisolated(unsafe) public let store: AnyKeyPath?

    /// Returns the id of the entity whose change was refused, or nil if it is not of this type.
    public func id<ID: Hashable & Sendable>(as type: ID.Type = ID.self) -> ID? { id.value() }

    /// Creates a refusal of the change of one entity.
    ///
    /// `store` is the store in the state, such as `\AppState.tags`, or in the changes, such as
    /// `\Changes.tags`. It may be nil if ids are unique across all stores, as UUIDs are.
    public init(
        id: some Hashable & Sendable, in store: AnyKeyPath? = nil, reason: String
    ) {
        self.id = AnyID(id)
        self.reason = reason
        self.store = store
    }
}

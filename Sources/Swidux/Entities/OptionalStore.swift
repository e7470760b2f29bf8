/// An ``EntityStore`` of any entities, for the extension of `Optional` below: Swift cannot extend
/// the optionals of a generic type otherwise.
public protocol EntityStoreProtocol {
    /// An empty store.
    init()
    /// True if there is no entity.
    var isEmpty: Bool { get }
    /// Records that the store holds all that storage has.
    mutating func endHydration()
}

extension EntityStore: EntityStoreProtocol {}

extension Optional where Wrapped: EntityStoreProtocol {
    /// The store, or an empty one if there is none: the key path of an optional store that is saved
    /// and undone, as in `Kept("drafts", \.drafts.orEmpty)`.
    ///
    /// Assigning nil to the optional store deletes its entities from storage, and undo brings them
    /// back. Entities that come from storage or from undo create the store; without any it stays
    /// nil, which counts as completely loaded.
    public var orEmpty: Wrapped {
        get {
            if let self { return self }
            var empty = Wrapped()
            empty.endHydration()
            return empty
        }
        set {
            guard self != nil || !newValue.isEmpty else { return }
            self = newValue
        }
    }
}

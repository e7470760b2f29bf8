/// An ``EntityStore`` of any entity type. The extension of `Optional` below needs this protocol,
/// because Swift cannot extend the optional of a generic type directly.
public protocol EntityStoreProtocol {
    /// Creates an empty store.
    init()
    /// True if there is no entity.
    var isEmpty: Bool { get }
    /// Records that the store holds everything in storage.
    mutating func endHydration()
}

extension EntityStore: EntityStoreProtocol {}

extension Optional where Wrapped: EntityStoreProtocol {
    /// The store, or an empty one if the optional is nil. Use its key path to save and undo an
    /// optional store, as in `Kept("drafts", \.drafts.orEmpty)`.
    ///
    /// Assigning nil to the optional store deletes its entities from storage, and undo brings them
    /// back. Entities that come from storage or from undo create the store. Without such entities
    /// it stays nil, which counts as completely loaded.
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

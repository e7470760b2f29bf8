/// One entity store whose changes an ``UndoHistory`` keeps.
@MainActor
public struct UndoTrack<State> {
    @usableFromInline let changes: UndoChanges<State>

    /// The track of the store at `keyPath`.
    ///
    /// `size` estimates the bytes that one entity holds, its heap storage included: its inline size
    /// and a hundred for bookkeeping by default, which is too little for entities with long texts.
    @inlinable public init<Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>> & Sendable,
        size: @escaping @MainActor (Entity) -> Int = { _ in MemoryLayout<Entity>.stride + 100 }
    ) {
        changes = UndoChanges(EntityUndoChanges(keyPath: keyPath, size: size))
    }
}

/// One entity store whose changes an ``UndoHistory`` keeps.
@MainActor
public struct UndoTrack<State> {
    @usableFromInline let changes: UndoChanges<State>

    /// The track of the store at `keyPath`.
    ///
    /// `size` estimates the bytes that one entity holds, its heap storage included: its inline size
    /// and a hundred for bookkeeping by default, which is too little for entities with long texts.
    ///
    /// `ties` names the other changes of a step that the change of an entity, given before and
    /// after the step, depends on. By default there are none, and each entity is undone by itself.
    ///
    /// `isHeld` says of an entity that undo or redo is to remove whether others have begun to refer
    /// to it. Then it counts as changed, and stays. By default none is.
    @inlinable public init<Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>> & Sendable,
        size: @escaping @MainActor (Entity) -> Int = { _ in MemoryLayout<Entity>.stride + 100 },
        ties: @escaping @MainActor (_ before: Entity?, _ after: Entity?) -> UndoTies = { _, _ in
            UndoTies()
        },
        isHeld: @escaping @MainActor (_ state: State, _ id: Entity.ID) -> Bool = { _, _ in false }
    ) {
        changes = UndoChanges(
            EntityUndoChanges(keyPath: keyPath, size: size, ties: ties, isHeld: isHeld))
    }
}

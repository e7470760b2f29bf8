/// One entity store whose changes an ``UndoHistory`` keeps.
@MainActor
public struct UndoTrack<State> {
    let changes: any UndoChanges<State>

    /// The track of the store at `keyPath`.
    ///
    /// `size` estimates the bytes that one entity holds, its heap storage included: its inline size
    /// and a hundred for bookkeeping by default, which is too little for entities with long texts.
    public init<Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        size: @escaping @MainActor (Entity) -> Int = { _ in MemoryLayout<Entity>.stride + 100 }
    ) {
        self.init(keyPath, size: size, ties: { _, _ in UndoTies() })
    }

    /// Creates the track of a store whose entities depend on each other or are shared with others.
    ///
    /// `ties` returns the other changes of a step that the change of an entity, given before and
    /// after the step, depends on.
    ///
    /// `isBlocked` indicates whether the rest of the state prevents undo or redo from changing an
    /// entity from its present value to the wanted one, either of which may be absent. Examples are
    /// the removal of an entity that others have begun to refer to, and a name that another entity
    /// has taken. The entity is then skipped like one that has changed. By default nothing is
    /// blocked.
    ///
    /// `merge` is that of the store's ``BatchWriter``. If an undo is reverted because storage has
    /// refused part of it (``UndoReport/isLate``), an entity that has been changed since gets its
    /// former value back under that change. Without `merge` it keeps its present value.
    package init<Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        size: @escaping @MainActor (Entity) -> Int = { _ in MemoryLayout<Entity>.stride + 100 },
        ties: @escaping @MainActor (_ before: Entity?, _ after: Entity?) -> UndoTies,
        isBlocked:
            @escaping @MainActor (_ state: State, _ now: Entity?, _ wanted: Entity?) -> Bool =
            { _, _, _ in false },
        merge: StorageMerge<Entity>? = nil
    ) {
        changes = EntityUndoChanges(
            keyPath: keyPath, size: size, ties: ties, isBlocked: isBlocked, merge: merge)
    }
}

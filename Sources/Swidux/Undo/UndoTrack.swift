/// One entity store whose changes an ``UndoHistory`` keeps.
@MainActor
public struct UndoTrack<State> {
    let changes: any UndoChanges<State>

    /// Creates the track of the store at `keyPath`.
    ///
    /// `size` estimates the bytes that one entity holds, including its heap storage. The default is
    /// the inline size and a hundred bytes for bookkeeping, which is too little for entities with
    /// long texts.
    public init<Entity>(
        _ keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        size: @escaping @MainActor (Entity) -> Int = { _ in MemoryLayout<Entity>.stride + 100 }
    ) {
        self.init(keyPath, size: size, ties: { _, _ in UndoTies() })
    }

    /// Creates the track of a store whose entities depend on each other or are also edited by other
    /// processes.
    ///
    /// `ties` receives an entity's values before and after a step, and returns the keys that this
    /// change provides and needs.
    ///
    /// `isBlocked` returns true if the rest of the state prevents undo or redo from changing an
    /// entity from its present value to the wanted one, either of which may be absent. Examples are
    /// the removal of an entity to which others now refer, and a name that another entity now has.
    /// The entity is then skipped like one that has changed. By default nothing is blocked.
    ///
    /// `merge` is the merge of the store's ``BatchWriter``. If an undo is reverted because storage
    /// has refused part of it (``UndoReport/isLate``), an entity that has changed since receives
    /// its former value merged with that change. Without `merge`, it keeps its present value.
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

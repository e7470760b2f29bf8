/// Declares that an entity store is saved and can be undone. Saving, loading and undo follow from
/// this one declaration.
///
/// ```swift
/// Store(
///     initialState: TodoList(), reducer: TodoReducer(), environment: (),
///     keeping: [Kept("todos", \.todos)], in: JSONFile(path, format: "todos"),
///     undo: { action, _ in action == .undo ? .undo : .command() })
/// ```
///
/// It is made of a ``BatchWriter`` and an ``UndoTrack``, which an application with storage of its
/// own uses itself: see <doc:Persistence>.
@MainActor
public struct Kept<State> {
    @usableFromInline let name: String
    @usableFromInline let writer: BatchWriter<State, KeptChanges>
    @usableFromInline let track: UndoTrack<State>
    /// The entities of a state, as a part of a file.
    @usableFromInline let part: (State) -> any KeptPart
    /// Gives a state the entities of a file.
    @usableFromInline let fill: (inout State, any KeptPart) -> Void

    /// The store at `keyPath`, under a name that no other store in the file has. The name must stay
    /// the same in later versions of the program.
    @inlinable public init<Entity: Codable>(
        _ name: String, _ keyPath: WritableKeyPath<State, EntityStore<Entity>> & Sendable
    ) {
        let key = KeptName<Entity>(name)
        self.name = name
        writer = BatchWriter(keyPath: keyPath, into: \KeptChanges[key])
        track = UndoTrack(keyPath)
        part = { KeptEntities($0[keyPath: keyPath]) }
        fill = { state, part in
            guard let part = part as? KeptEntities<Entity> else { return }
            state[keyPath: keyPath] = part.store
            state[keyPath: keyPath].endHydration()
        }
    }
}

/// The name of a ``Kept`` store, which knows of what entities it is.
@usableFromInline struct KeptName<Entity>: Hashable, Sendable {
    let name: String

    @usableFromInline init(_ name: String) { self.name = name }
}

/// All changes of one flush to the ``Kept`` stores.
@usableFromInline struct KeptChanges: Sendable {
    private var changes: [String: any Sendable] = [:]

    @usableFromInline subscript<Entity>(key: KeptName<Entity>) -> EntityChanges<Entity> {
        get { changes[key.name] as? EntityChanges<Entity> ?? EntityChanges() }
        set { changes[key.name] = newValue }
    }
}

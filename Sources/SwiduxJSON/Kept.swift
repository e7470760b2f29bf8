import Swidux

/// A declaration that an entity store is saved and can be undone. Saving, loading and undo follow
/// from it.
///
/// ```swift
/// Store(
///     initialState: TodoList(), reducer: TodoReducer(), environment: (),
///     keeping: [Kept("todos", \.todos)], in: JSONFile(path, format: "todos"),
///     undo: { action, _ in action == .undo ? .undo : .command() })
/// ```
///
/// It consists of a `BatchWriter` and an `UndoTrack`. An application with its own storage uses
/// these directly: see the page "Persistence" of Swidux.
@MainActor
public struct Kept<State> {
    let name: String
    let writer: BatchWriter<State, NamedChanges>
    let track: UndoTrack<State>
    /// A function that returns the entities of a state as a part of a file.
    let part: (State) -> any KeptPart
    /// A function that replaces the entities of a state with those of a file.
    let fill: (inout State, any KeptPart) -> Void

    /// Declares the store at `keyPath`, under a name that no other store in the file has. The name
    /// must stay the same in later versions of the program.
    public init<Entity: Codable>(
        _ name: String, _ keyPath: WritableKeyPath<State, EntityStore<Entity>>
    ) {
        let key = NamedChanges.Name<Entity>(text: name)
        self.name = name
        writer = BatchWriter(keyPath: keyPath, into: \NamedChanges[key])
        track = UndoTrack(keyPath)
        part = { KeptEntities($0[keyPath: keyPath]) }
        fill = { state, part in
            guard let part = part as? KeptEntities<Entity> else { return }
            state[keyPath: keyPath] = part.store
            state[keyPath: keyPath].endHydration()
        }
    }
}

/// A writer that puts the changes of one entity store into the value that storage commits as a
/// whole.
///
/// ```swift
/// PersistencePipeline(
///     writers: [
///         BatchWriter(keyPath: \.tags, into: \Changes.tags),
///         BatchWriter(keyPath: \.items, into: \Changes.items),
///     ],
///     empty: { Changes() },
///     commit: { try await storage.commit($0) })
/// ```
@MainActor
public struct BatchWriter<State, Changes: Sendable> {
    let store: any StoreBuffer<State, Changes>

    /// Creates a writer of the store at `keyPath` to the field `changes` of a batch.
    public init<Entity>(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        into changes: WritableKeyPath<Changes, EntityChanges<Entity>>
    ) {
        self.init(keyPath: keyPath, into: changes, merge: .mine)
    }

    /// Creates a writer to storage that other processes also write to. `merge` combines an edit of
    /// this process with one of another process.
    package init<Entity>(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        into changes: WritableKeyPath<Changes, EntityChanges<Entity>>,
        merge: StorageMerge<Entity>
    ) {
        store = EntityBuffer(keyPath, changes, merge)
    }
}

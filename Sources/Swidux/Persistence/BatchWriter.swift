import OrderedCollections

/// Puts the changes of one entity store into the one value that storage commits as a whole.
///
/// ```swift
/// PersistenceMiddleware(
///     writers: [
///         BatchWriter(keyPath: \.tags, into: \Changes.tags),
///         BatchWriter(keyPath: \.items, into: \Changes.items),
///     ],
///     empty: { Changes() },
///     commit: { try await storage.commit($0) })
/// ```
@MainActor
public struct BatchWriter<State, Changes> {
    @usableFromInline let buffer: ChangeBuffer<State>
    /// What is in flight, to be filled in by any thread.
    @usableFromInline let flight: () -> @Sendable (inout Changes) -> Void
    /// What the last drain took.
    @usableFromInline let fillFresh: (inout Changes) -> Void
    /// What is not committed.
    @usableFromInline let fillWaiting: (inout Changes) -> Void
    /// The flight was committed, less `refused`, and storage has `stored` otherwise.
    @usableFromInline let land: (_ refused: Refusals, _ stored: Changes?) -> Int
    /// Takes changes that storage has made although their commit seemed to fail.
    @usableFromInline let confirm: (_ made: Changes) -> Bool
    /// Brings what storage has together with what waits, and adds what that changes on the screen.
    @usableFromInline let rebase: (_ stored: Changes, _ shown: inout Changes) -> Rebase

    @usableFromInline typealias Refusals = [Refusal]

    /// A writer of the store at `keyPath` to the field `changes` of what is committed.
    ///
    /// `merge` brings an edit here and one of another process together, where storage is shared.
    @inlinable public init<Entity>(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        into changes: WritableKeyPath<Changes, EntityChanges<Entity>> & Sendable,
        merge: StorageMerge<Entity> = .mine
    ) {
        let buffer = EntityBuffer(keyPath: keyPath, merge: merge)
        self.buffer = ChangeBuffer(buffer)
        flight = { [buffer] in
            let inFlight = buffer.inFlight
            return { $0[keyPath: changes] = inFlight }
        }
        fillFresh = { $0[keyPath: changes] = buffer.fresh }
        fillWaiting = { $0[keyPath: changes] = buffer.waiting }
        land = { buffer.land($0, $1?[keyPath: changes]) }
        confirm = { buffer.confirm($0[keyPath: changes]) }
        rebase = { buffer.rebase(onto: $0[keyPath: changes], showing: &$1[keyPath: changes]) }
    }
}

/// Writes the changes of one entity store through a closure: the simple way for simple applications.
///
/// A flush calls the closures of all writers one after the other, first with everything to insert or replace, in the
/// order of the writers, then with everything to delete, in the opposite order. This is **not atomic across writers**:
/// if one throws, those before it have written, and the whole batch is written again later. So writing the same thing
/// twice must do no harm. Where storage has transactions, use ``BatchWriter``.
@MainActor
public final class StateWriter<State> {
    @usableFromInline let buffer: ChangeBuffer<State>
    /// Fixes what is in flight and returns what writes it: upserts, then deletions.
    @usableFromInline let prepare: () -> (upserts: Write, deletions: Write)

    @usableFromInline typealias Write = @Sendable () async throws -> Void

    /// A writer for the store at `keyPath`.
    ///
    /// `persist` makes the values and the deletions durable, or throws. It is called with one of the two empty, in a
    /// task that is never cancelled.
    @inlinable public init<Entity>(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        persist:
            @escaping @Sendable (_ upserts: [Entity], _ deletions: [Entity.ID]) async throws -> Void
    ) {
        let buffer = EntityBuffer(keyPath: keyPath)
        self.buffer = ChangeBuffer(buffer)
        prepare = {
            let flight = buffer.flight
            return (
                { if !flight.upserts.isEmpty { try await persist(flight.upserts, []) } },
                { if !flight.deletions.isEmpty { try await persist([], flight.deletions) } }
            )
        }
    }

    /// Takes over what the store has recorded since the last drain, and says whether there was anything.
    /// ``PersistenceMiddleware/afterReduce(state:)`` does it.
    @discardableResult
    public func drain(_ state: inout State) -> Bool { buffer.drain(&state).changes > 0 }
}

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
    /// What is in flight.
    @usableFromInline let fill: (inout Changes) -> Void
    /// What the last drain took.
    @usableFromInline let fillFresh: (inout Changes) -> Void
    /// What is not committed.
    @usableFromInline let fillWaiting: (inout Changes) -> Void
    /// Takes in what storage has now, and returns the conflicts.
    @usableFromInline let adopt: (Changes, inout State) -> [AnyID]

    /// A writer of the store at `keyPath` to the field `changes` of what is committed.
    ///
    /// `merge` brings an edit here and one of another process together, where storage is shared.
    @inlinable public init<Entity>(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        into changes: WritableKeyPath<Changes, EntityChanges<Entity>>,
        merge: StorageMerge<Entity> = .mine
    ) {
        let buffer = EntityBuffer(keyPath: keyPath, merge: merge)
        self.buffer = ChangeBuffer(buffer)
        fill = { $0[keyPath: changes] = buffer.flight }
        fillFresh = { $0[keyPath: changes] = buffer.fresh }
        fillWaiting = { $0[keyPath: changes] = buffer.waiting }
        adopt = { buffer.adopt($0[keyPath: changes], into: &$1) }
    }

    /// Puts what is not committed into `changes`, with the bases: to be rescued when storage does not take it.
    public func fillUncommitted(_ changes: inout Changes) { fillWaiting(&changes) }
}

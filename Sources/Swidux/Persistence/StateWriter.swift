/// Writes the changes of one entity store through a closure: the simple way for simple
/// applications.
///
/// A flush calls the closures of all writers one after the other, first with everything to insert
/// or replace, in the order of the writers, then with everything to delete, in the opposite order.
/// This is **not atomic across writers**: if one throws, those before it have written, and the
/// whole batch is written again later. So writing the same thing twice must do no harm. Where
/// storage has transactions, use ``BatchWriter``.
@MainActor
public final class StateWriter<State> {
    @usableFromInline let buffer: ChangeBuffer<State>
    /// Fixes what is in flight and returns what writes it: upserts, then deletions.
    @usableFromInline let prepare: () -> (upserts: Write, deletions: Write)

    /// The flight was committed.
    @usableFromInline let land: () -> Int

    @usableFromInline typealias Write = @Sendable () async throws -> Void

    /// A writer for the store at `keyPath`.
    ///
    /// `persist` makes the values, in the order in which they first became pending, and the
    /// deletions, in any order, durable, or throws. It is called with one of the two empty, in a
    /// task that is never cancelled.
    @inlinable public init<Entity>(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        persist:
            @escaping @Sendable (_ upserts: [Entity], _ deletions: Set<Entity.ID>) async throws ->
            Void
    ) {
        let buffer = EntityBuffer(keyPath: keyPath)
        self.buffer = ChangeBuffer(buffer)
        land = { buffer.land([], nil) }
        prepare = {
            let (upserts, deletions) = (buffer.inFlight.upserts, buffer.inFlight.deletions)
            return (
                { if !upserts.isEmpty { try await persist(upserts, []) } },
                { if !deletions.isEmpty { try await persist([], Set(deletions)) } }
            )
        }
    }

    /// Takes over what the store has recorded since the last drain, and says whether there was
    /// anything. ``PersistenceMiddleware/afterReduce(state:)`` does it.
    @discardableResult
    public func drain(_ state: inout State) -> Bool { buffer.drain(&state).changes > 0 }
}

import FoundationEssentials

/// A writer for simple applications, which passes the changes of one entity store to a closure.
///
/// A flush calls the closures of all writers one after the other: first with all upserts, in the
/// order of the writers, then with all deletions, in the opposite order. This is **not atomic
/// across writers**: if one throws, those before it have written, and the whole batch is written
/// again later. So a closure must tolerate a second write of the same change. Where storage has
/// transactions, use ``BatchWriter``.
@MainActor
public final class StateWriter<State> {
    typealias Write = @Sendable (NamedChanges) async throws -> Void

    let writer: BatchWriter<State, NamedChanges>
    let writeUpserts: Write
    let writeDeletions: Write
    private var drained = NamedChanges()
    private var isOwnedByPipeline = false

    /// Creates a writer for the store at `keyPath`. The writer belongs to one pipeline. If a second
    /// pipeline is created with it, the program traps.
    ///
    /// `persist` makes its arguments durable, or throws. Each call passes either upserts, in the
    /// order in which they first became pending, or deletions, in any order. It runs in a task that
    /// is never cancelled.
    public init<Entity>(
        keyPath: WritableKeyPath<State, EntityStore<Entity>>,
        persist:
            @escaping @Sendable (_ upserts: [Entity], _ deletions: Set<Entity.ID>) async throws ->
            Void
    ) {
        let name = NamedChanges.Name<Entity>(text: "\(UUID())")
        writer = BatchWriter(keyPath: keyPath, into: \NamedChanges[name])
        writeUpserts = { changes in
            let upserts = changes[name].upserts
            if !upserts.isEmpty { try await persist(upserts, []) }
        }
        writeDeletions = { changes in
            let deletions = changes[name].deletions
            if !deletions.isEmpty { try await persist([], Set(deletions)) }
        }
    }

    /// Takes the changes that the store has recorded since the last drain, and returns true if
    /// there were any. Call it only before a pipeline is created with this writer. The pipeline
    /// then receives these changes and drains the store itself.
    @discardableResult
    public func drain(_ state: inout State) -> Bool {
        precondition(
            !isOwnedByPipeline, "A writer that a pipeline has is drained by afterReduce(state:).")
        return writer.store.drain(&state, to: &drained, inFlight: NamedChanges()).changes > 0
    }

    /// Returns the changes drained so far, and marks this writer as owned by a pipeline.
    func takeDrained() -> NamedChanges {
        precondition(!isOwnedByPipeline, "A StateWriter belongs to one pipeline.")
        isOwnedByPipeline = true
        return drained
    }
}

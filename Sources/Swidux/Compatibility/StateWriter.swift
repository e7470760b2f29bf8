import FoundationEssentials

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
    typealias Write = @Sendable (NamedChanges) async throws -> Void

    let writer: BatchWriter<State, NamedChanges>
    let writeUpserts: Write
    let writeDeletions: Write
    private var drained = NamedChanges()
    private var isGiven = false

    /// A writer for the store at `keyPath`.
    ///
    /// `persist` makes the values, in the order in which they first became pending, and the
    /// deletions, in any order, durable, or throws. It is called with one of the two empty, in a
    /// task that is never cancelled.
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

    /// Takes the changes that the store has recorded since the last drain, and says whether there
    /// were any. The pipeline that is given this writer gets them, and drains it from then on.
    @discardableResult
    public func drain(_ state: inout State) -> Bool {
        precondition(!isGiven, "A writer that a pipeline has is drained by afterReduce(state:).")
        return writer.store.drain(&state, to: &drained, inFlight: NamedChanges()).changes > 0
    }

    /// Gives a pipeline the changes that were drained before.
    func give() -> NamedChanges {
        precondition(!isGiven, "A StateWriter belongs to one pipeline.")
        isGiven = true
        return drained
    }
}

/// A pipeline to closures, one for each store: for simple applications.
public typealias PersistenceMiddleware<State> = PersistencePipeline<State, NamedChanges>

extension PersistencePipeline where Changes == NamedChanges {
    /// A pipeline to closures, one for each store; see ``StateWriter`` for the order and for what
    /// it cannot promise. A `debounce` goes before that of `options`.
    public convenience init(
        writers: [StateWriter<State>],
        debounce: Duration? = nil,
        options: PersistenceOptions = PersistenceOptions()
    ) {
        var options = options
        if let debounce { options.debounce = debounce }
        let writes = writers.map(\.writeUpserts) + writers.reversed().map(\.writeDeletions)
        self.init(
            writers: writers.map(\.writer), empty: { NamedChanges() }, options: options,
            commit: { changes in
                for write in writes { try await write(changes) }
                return CommitResult()
            })
        for writer in writers { buffer.add(writer.give()) }
    }
}

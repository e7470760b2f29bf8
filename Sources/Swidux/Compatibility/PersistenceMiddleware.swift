/// A pipeline to closures, one for each store: for simple applications.
public typealias PersistenceMiddleware<State> = PersistencePipeline<State, NamedChanges>

extension PersistencePipeline where Changes == NamedChanges {
    /// Creates a pipeline to closures, one for each store. See ``StateWriter`` for the order of the
    /// calls and for the guarantees that closures cannot give. `debounce` replaces that of
    /// `options`.
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

/// A pipeline for simple applications, which writes each store through a closure.
public typealias PersistenceMiddleware<State> = PersistencePipeline<State, NamedChanges>

extension PersistencePipeline where Changes == NamedChanges {
    /// Creates a pipeline that writes each store through a closure. See ``StateWriter`` for the
    /// order of the calls and for the guarantees that closures cannot give. `debounce`, if not nil,
    /// replaces the value in `options`.
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
        for writer in writers { buffer.add(writer.takeDrained()) }
    }
}

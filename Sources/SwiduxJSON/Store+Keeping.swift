import Swidux

extension Store {
    /// A store whose entities are kept in a file, from which they are loaded before this returns.
    ///
    /// A missing file is created with the entities of `initialState`; those of an existing file
    /// replace them. The file is open and locked until the store and its pipeline are released.
    /// Await `flush()` before the program ends.
    ///
    /// - Parameters:
    ///   - initialState: the state before the first action, except for what the file holds.
    ///   - reducer: what changes the state.
    ///   - environment: what the reducer is given besides state and action.
    ///   - kept: what is kept; what others refer to comes first.
    ///   - file: where it is kept.
    ///   - undo: what an action means to undo, given the state before it; nil has no undo. The
    ///     action that undoes is reduced once the step has been applied.
    ///   - options: delays, clock and wording of errors of the pipeline.
    /// - Throws: if the file cannot be opened or is not understood. It is then unchanged.
    public convenience init<Reducer: SwiduxReducer>(
        initialState: State,
        reducer: Reducer,
        environment: Environment,
        keeping kept: [Kept<State>],
        in file: JSONFile,
        undo: (@MainActor (Action, State) -> UndoRole)? = nil,
        options: PersistenceOptions = PersistenceOptions()
    ) throws(JSONFile.Failure)
    where
        Reducer.State == State, Reducer.Action == Action, Reducer.RootAction == Action,
        Reducer.Environment == Environment
    {
        var state = initialState
        let open = try OpenJSONFile(file, kept.map { ($0.name, $0.part(state)) })
        for (kept, part) in zip(kept, open.parts) { kept.fill(&state, part.part) }
        self.init(
            initialState: state,
            reducer: reducer,
            environment: environment,
            persistence: PersistencePipeline(
                writers: kept.map(\.writer),
                empty: { NamedChanges() },
                options: options,
                commit: { try await open.commit($0) }),
            undo: undo.map {
                UndoHistory(tracks: kept.map(\.track), now: options.now, classify: $0)
            },
            now: options.now)
    }
}

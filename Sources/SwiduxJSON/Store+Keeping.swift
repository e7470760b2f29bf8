import Swidux

extension Store {
    /// Creates a store whose entities are saved in a file, and loads them from it.
    ///
    /// A missing file is created with the entities of `initialState`; those of an existing file
    /// replace them. The file is open and locked until the store and its pipeline are released.
    /// Await `flush()` before the program ends.
    ///
    /// - Parameters:
    ///   - initialState: the state before the first action, except for the content of the file.
    ///   - reducer: the function that changes the state.
    ///   - environment: the values that the reducer receives in addition to state and action.
    ///   - kept: the stores to save. A store comes before the stores whose entities refer to it.
    ///   - file: the file.
    ///   - undo: returns the role of an action in undo, given the state before it; nil disables
    ///     undo. When an action undoes or redoes a step, the reducer receives the action
    ///     afterwards.
    ///   - options: delays, clock and wording of errors of the pipeline.
    /// - Throws: an error if the file cannot be opened or is not understood. The file is then
    ///   unchanged.
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

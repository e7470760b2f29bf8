/// Code around every action of a ``Store``: it sees the action, hands it on, and sees the state
/// that results.
///
/// ```swift
/// let timing = Middleware<AppState, AppAction> { action, state, next in
///     let start = ContinuousClock.now
///     next(action)
///     print(action, ContinuousClock.now - start)
/// }
/// ```
///
/// The first of a store's middleware is the outermost. One that does not call `next` drops the
/// action; one that calls it with another action replaces it; one that calls it twice has it
/// reduced twice. Undo, persistence, subscribers and effects follow after the whole chain.
/// Everything runs on the main actor, and nothing may wait.
public struct Middleware<State, Action> {
    let handle: @MainActor (Action, @MainActor () -> State, @MainActor (Action) -> Void) -> Void

    /// - Parameter handle: called for every action, with the state as it is at each call of its
    ///   second argument.
    public init(
        _ handle:
            @escaping @MainActor (
                _ action: Action, _ state: @MainActor () -> State,
                _ next: @MainActor (Action) -> Void
            ) -> Void
    ) {
        self.handle = handle
    }
}

extension Middleware {
    /// Calls `sink` for every action once it is reduced.
    ///
    /// - Parameters:
    ///   - differences: whether to record changes. This costs O(changes) for entity stores and a
    ///     walk over the rest of the state.
    ///   - clock: the clock that measures durations.
    ///   - sink: called on the main actor, before subscribers, with the action as the log received
    ///     it, with the time that the reducer took, including the middleware inside the log, and
    ///     with the changed parts of the state, one a line; no lines without `differences`.
    public static func log(
        differences: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(),
        to sink:
            @escaping @MainActor (_ action: Action, _ duration: Duration, _ difference: [String]) ->
            Void
    ) -> Middleware {
        let now = clock.systemTime
        return Middleware { action, state, next in
            let before = differences ? state() : nil
            let start = now()
            next(action)
            let duration = now() - start
            let difference = before.map { StateDifference(from: $0, to: state()).lines } ?? []
            sink(action, duration, difference)
        }
    }
}

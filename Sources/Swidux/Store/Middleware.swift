/// Code that wraps the handling of every action of a ``Store``. It receives the action, passes it
/// on, and can read the resulting state.
///
/// ```swift
/// let timing = Middleware<AppState, AppAction> { action, state, next in
///     let start = ContinuousClock.now
///     next(action)
///     print(action, ContinuousClock.now - start)
/// }
/// ```
///
/// The first middleware of a store is the outermost. A middleware that does not call `next` drops
/// the action. One that calls `next` with another action replaces it. One that calls `next` twice
/// has the action reduced twice. Undo, persistence, subscribers and effects follow after the whole
/// chain. Everything runs on the main actor, and must not block.
public struct Middleware<State, Action> {
    let handle: @MainActor (Action, @MainActor () -> State, @MainActor (Action) -> Void) -> Void

    /// - Parameter handle: called for every action. Each call of its second argument returns the
    ///   present state.
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
    ///   - differences: true to record changes. This costs O(changes) for entity stores and a walk
    ///     over the rest of the state.
    ///   - clock: the clock that measures durations.
    ///   - sink: called on the main actor, before subscribers. It receives the action, the time
    ///     that the reducer and inner middleware took, and the changed parts of the state, one per
    ///     line. Without `differences` there are no lines.
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

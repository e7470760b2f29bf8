/// Sends an action to the store that started an effect. Awaited, it returns when the store has
/// taken the action.
public typealias Send<Action> = @MainActor @Sendable (Action) -> Void

/// Asynchronous work that a reducer returns, and that may send further actions.
///
/// A plain function: functions that wrap or combine effects, such as
/// ``Effects/debounce(id:for:clock:_:)``, return the same type. It does not throw, so an
/// error has to become an action. It begins within the `send` whose reducer returned it, on the
/// main actor, and goes on there after each `await`: heavy work belongs in an `@concurrent`
/// function. It is cancelled with its store, and should return soon after it is.
public typealias Effect<Action> =
    nonisolated(nonsending) @Sendable (@escaping Send<Action>) async -> Void

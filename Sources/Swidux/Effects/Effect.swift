/// A function that sends an action to the store that started an effect. If awaited, it returns once
/// the store has taken the action.
public typealias Send<Action> = @MainActor @Sendable (Action) -> Void

/// Asynchronous work that a reducer returns, and that may send further actions.
///
/// An effect is a plain function, so functions that wrap or combine effects, such as
/// ``Effects/debounce(id:for:clock:_:)``, return the same type. It does not throw, so an error has
/// to become an action. It begins within the `send` whose reducer returned it, on the main actor,
/// and resumes there after each `await`, so heavy work belongs in an `@concurrent` function. It is
/// cancelled with its store, and should then return soon.
public typealias Effect<Action> =
    nonisolated(nonsending) @Sendable (@escaping Send<Action>) async -> Void

/// Hands an action to the store that started an effect. Awaited from an effect, it returns when the
/// store has taken the action.
public typealias Send<Action> = @MainActor @Sendable (Action) -> Void

/// Async work that a reducer asks for, and that may send further actions.
///
/// A plain function: whatever makes one of another returns the same type, as
/// ``cancellable(id:cancelInFlight:_:)`` does. It throws nothing, so an error has to become an
/// action. It runs off the main actor unless it says otherwise, is cancelled with its store, and
/// should return soon after it is.
public typealias Effect<Action> = @Sendable (@escaping Send<Action>) async -> Void

/// Effects run at the same time, one that ends when all have ended. Nil if there is none.
///
/// What each sends is taken in the order in which it sends it; between two effects there is no
/// order.
public func merge<Action>(_ effects: Effect<Action>?...) -> Effect<Action>? { merge(effects) }

/// As many effects as there are, run at the same time; see the function of a fixed number.
func merge<Action>(_ effects: [Effect<Action>?]) -> Effect<Action>? {
    let effects = effects.compactMap(\.self)
    guard effects.count > 1 else { return effects.first }
    return { send in
        await withTaskGroup(of: Void.self) { group in
            for effect in effects { group.addTask { await effect(send) } }
        }
    }
}

/// Effects run one after the other, each once the one before has ended. Nil if there is none.
///
/// A cancelled run begins no further one.
public func concatenate<Action>(_ effects: Effect<Action>?...) -> Effect<Action>? {
    let effects = effects.compactMap(\.self)
    guard effects.count > 1 else { return effects.first }
    return { send in
        for effect in effects where !Task.isCancelled { await effect(send) }
    }
}

/// The effect, begun once `duration` has gone by without another under `id`: a search that waits
/// for the typing to pause. A test brings its own `clock`.
public func debounce<Action>(
    id: some Hashable & Sendable, for duration: Duration,
    clock: any Clock<Duration> = ContinuousClock(), _ effect: @escaping Effect<Action>
) -> Effect<Action> {
    cancellable(id: id, cancelInFlight: true) { send in
        do {
            try await clock.sleep(for: duration)
        } catch {
            return
        }
        await effect(send)
    }
}

/// An effect that may throw, with what its error becomes: an action, or nothing with nil.
///
/// The end of a cancelled run is no error.
public func catching<Action: Sendable>(
    _ operation: @escaping @Sendable (@escaping Send<Action>) async throws -> Void,
    _ recover: @escaping @Sendable (any Error) -> Action?
) -> Effect<Action> {
    { send in
        do {
            try await operation(send)
        } catch {
            guard !(error is CancellationError), let action = recover(error) else { return }
            await send(action)
        }
    }
}

/// An effect that sends an action for each element of `sequence`, none for those that `transform`
/// makes nil of, until the sequence or the effect ends. `recover` makes an action, or nothing, of
/// the sequence's error.
public func actions<Elements: AsyncSequence & Sendable, Action: Sendable>(
    from sequence: Elements,
    _ transform: @escaping @Sendable (Elements.Element) -> Action?,
    catching recover: @escaping @Sendable (any Error) -> Action? = { _ in nil }
) -> Effect<Action> {
    catching(
        { send in
            for try await element in sequence {
                if let action = transform(element) { await send(action) }
            }
        }, recover)
}

/// An effect that waits for `task` and sends its action, or the one that its error becomes.
/// Cancelling the effect cancels the task.
///
/// In a reducer, whose parameter is called `action`, it is written `Swidux.action(of:)`.
public func action<Action: Sendable>(
    of task: Task<Action, any Error>,
    catching recover: @escaping @Sendable (any Error) -> Action? = { _ in nil }
) -> Effect<Action> {
    catching(
        { send in
            let action = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            await send(action)
        }, recover)
}

/// The effect of a feature, sending what `transform` makes of the feature's own actions.
public func map<Child, Action>(
    _ effect: @escaping Effect<Child>, _ transform: @escaping @Sendable (Child) -> Action
) -> Effect<Action> {
    { send in await effect { send(transform($0)) } }
}

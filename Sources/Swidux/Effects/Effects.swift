/// Functions that make effects from other effects, throwing functions, sequences and tasks, and
/// that cancel effects.
///
/// ```swift
/// return Effects.cancellable(
///     id: "search", cancelInFlight: true,
///     Effects.catching({ send in await send(.found(try await search())) }, { .failed("\($0)") }))
/// ```
///
/// Each function returns an ``Effect``, so calls can be nested in any way. The functions are
/// members of an enum because their names are common elsewhere: a reducer's parameter is called
/// `action`, and a sequence has a `map`.
public enum Effects {
    /// Returns `effect` unchanged. Use it where the compiler cannot infer that a closure is an
    /// effect.
    public static func run<Action>(_ effect: @escaping Effect<Action>) -> Effect<Action> { effect }

    /// Returns an effect that runs several effects at the same time and ends when all have ended.
    /// Nil if there are none.
    ///
    /// The store takes the actions of each effect in the order in which the effect sends them.
    /// Actions of different effects arrive in any order.
    public static func merge<Action>(_ effects: Effect<Action>?...) -> Effect<Action>? {
        merge(effects)
    }

    /// Returns an effect that runs the effects of an array at the same time, like the variadic
    /// function. The array may hold many thousands of effects. Merging that many one by one would
    /// nest them.
    public static func merge<Action>(_ effects: [Effect<Action>?]) -> Effect<Action>? {
        // Uses no key path, because a key path of a generic type is created at each call, which
        // costs more than the rest of this function.
        let effects = effects.compactMap { $0 }
        guard effects.count > 1 else { return effects.first }
        return { send in await runAll(effects, send) }
    }

    @MainActor
    private static func runAll<Action>(
        _ effects: [Effect<Action>], _ send: @escaping Send<Action>
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for effect in effects {
                _ = group.addImmediateTaskUnlessCancelled { @MainActor in await effect(send) }
            }
        }
    }

    /// Returns an effect that runs several effects one after the other. Nil if there are none.
    ///
    /// Once cancelled, it starts no further effect.
    public static func concatenate<Action>(_ effects: Effect<Action>?...) -> Effect<Action>? {
        concatenate(effects)
    }

    /// Returns an effect that runs the effects of an array one after the other, like the variadic
    /// function.
    public static func concatenate<Action>(_ effects: [Effect<Action>?]) -> Effect<Action>? {
        let effects = effects.compactMap { $0 }
        guard effects.count > 1 else { return effects.first }
        return { send in
            for effect in effects where !Task.isCancelled { await effect(send) }
        }
    }

    /// Returns an effect for an operation that may throw. `recover` turns the error into an action,
    /// or nil to send nothing.
    ///
    /// A `CancellationError` is ignored.
    public static func catching<Action: Sendable>(
        _ operation:
            nonisolated(nonsending) @escaping @Sendable (@escaping Send<Action>) async throws ->
            Void,
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

    /// Returns an effect that sends an action for each element of `sequence`, except those for
    /// which `transform` returns nil, until the sequence or the effect ends. `recover` turns the
    /// sequence's error into an action, or nil to send nothing.
    public static func actions<Elements: AsyncSequence & Sendable, Action: Sendable>(
        from sequence: Elements,
        _ transform: @escaping @Sendable (Elements.Element) -> Action?,
        catching recover: @escaping @Sendable (any Error) -> Action? = { _ in nil }
    ) -> Effect<Action> {
        catching(
            { send in
                for try await element in sequence {
                    if let action = transform(element) { await send(action) }
                    // The next elements may be there already.
                    await Task.yield()
                }
            }, recover)
    }

    /// Returns an effect that waits for `task` and sends its action, or the one that `recover`
    /// returns for its error. Cancelling the effect cancels the task. So does releasing it, for
    /// example with a store that is released before the effect has begun.
    public static func action<Action: Sendable>(
        of task: Task<Action, any Error>,
        catching recover: @escaping @Sendable (any Error) -> Action? = { _ in nil }
    ) -> Effect<Action> {
        let owner = TaskOwner(task)
        return catching(
            { send in
                let action = try await withTaskCancellationHandler {
                    try await owner.task.value
                } onCancel: {
                    owner.task.cancel()
                }
                await send(action)
            }, recover)
    }

    /// Returns the effect of a feature, with `transform` applied to the actions that it sends.
    package static func map<Child, Action>(
        _ effect: @escaping Effect<Child>, _ transform: @escaping @Sendable (Child) -> Action
    ) -> Effect<Action> {
        { send in await effect { send(transform($0)) } }
    }
}

/// The owner of a task, which cancels it when the last effect that waits for it is released.
private final class TaskOwner<Success: Sendable>: Sendable {
    let task: Task<Success, any Error>

    init(_ task: Task<Success, any Error>) { self.task = task }

    deinit { task.cancel() }
}

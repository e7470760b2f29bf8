/// Makes effects out of others, out of throwing functions, sequences and tasks, and cancels them.
///
/// ```swift
/// return Effects.cancellable(
///     id: "search", cancelInFlight: true,
///     Effects.catching({ send in await send(.found(try await search())) }, { .failed("\($0)") }))
/// ```
///
/// Each function returns an ``Effect``, so that they nest in any way. They stand under one name
/// because theirs are those of much else: a reducer's parameter is called `action`, a sequence has
/// a `map`.
public enum Effects {
    /// The effect that `effect` is, for places where the compiler needs to know that a closure is
    /// one.
    public static func run<Action>(_ effect: @escaping Effect<Action>) -> Effect<Action> { effect }

    /// An effect that runs several at the same time and ends when all have ended. Nil if there are
    /// none.
    ///
    /// The actions of each are taken in the order in which it sends them; between two effects there
    /// is no order.
    public static func merge<Action>(_ effects: Effect<Action>?...) -> Effect<Action>? {
        merge(effects)
    }

    /// An effect that runs those of an array at the same time, as the variadic function does. There
    /// may be many thousands: do not merge as many one by one, which nests them.
    public static func merge<Action>(_ effects: [Effect<Action>?]) -> Effect<Action>? {
        // Not by a key path: a key path of a generic type is created at each call, which costs more
        // than the rest of this function.
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

    /// An effect that runs several one after the other. Nil if there are none.
    ///
    /// Once cancelled, it begins none of the rest.
    public static func concatenate<Action>(_ effects: Effect<Action>?...) -> Effect<Action>? {
        concatenate(effects)
    }

    /// An effect that runs those of an array one after the other, as the variadic function does.
    public static func concatenate<Action>(_ effects: [Effect<Action>?]) -> Effect<Action>? {
        let effects = effects.compactMap { $0 }
        guard effects.count > 1 else { return effects.first }
        return { send in
            for effect in effects where !Task.isCancelled { await effect(send) }
        }
    }

    /// An effect that may throw; `recover` turns the error into an action, or nil to send nothing.
    ///
    /// A cancellation is no error.
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

    /// An effect that sends an action for each element of `sequence`, except those for which
    /// `transform` returns nil, until the sequence or the effect ends. `recover` turns the
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

    /// An effect that waits for `task` and sends its action, or the one that `recover` returns for
    /// its error. Cancelling the effect cancels the task. So does releasing it, for example with a
    /// store that is released before the effect has begun.
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

    /// The effect of a feature, with `transform` applied to the actions that it sends.
    package static func map<Child, Action>(
        _ effect: @escaping Effect<Child>, _ transform: @escaping @Sendable (Child) -> Action
    ) -> Effect<Action> {
        { send in await effect { send(transform($0)) } }
    }
}

/// Cancels its task when the last effect that waits for it is released.
private final class TaskOwner<Success: Sendable>: Sendable {
    let task: Task<Success, any Error>

    init(_ task: Task<Success, any Error>) { self.task = task }

    deinit { task.cancel() }
}

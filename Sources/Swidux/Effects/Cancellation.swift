extension Effects {
    /// The effect under an id by which ``cancel(id:)`` can end it; a cancelled run sends nothing
    /// more.
    ///
    /// With `cancelInFlight` a new run first ends those of earlier actions: a search that the next
    /// letter replaces. The order of the actions decides which run is earlier. Outside a store, as
    /// when a test calls the effect itself, it just runs.
    public static func cancellable<Action>(
        id: some Hashable & Sendable, cancelInFlight: Bool = false,
        _ effect: @escaping Effect<Action>
    ) -> Effect<Action> {
        let id = AnyID(id)
        return { send in
            guard let context = EffectContext.current else { return await effect(send) }
            let id = context.scoped(id)
            if cancelInFlight { context.registry.cancel(id, before: context.ordinal) }
            await run(effect, under: id, context, send)
        }
    }

    /// The effect that `merge` or `concatenate` returns, under an id by which
    /// ``cancel(id:)`` can end it. Nil if there is none and nothing to cancel.
    @_disfavoredOverload
    public static func cancellable<Action>(
        id: some Hashable & Sendable, cancelInFlight: Bool = false, _ effect: Effect<Action>?
    ) -> Effect<Action>? {
        if let effect { return cancellable(id: id, cancelInFlight: cancelInFlight, effect) }
        return cancelInFlight ? cancel(id: id) : nil
    }

    /// An effect that ends every run under `id` of an earlier action, including runs that have not
    /// begun. Once `send` has returned to the sender of its action, no action of such a run is
    /// delivered. Outside a store it does nothing.
    public static func cancel<Action>(id: some Hashable & Sendable) -> Effect<Action> {
        let id = AnyID(id)
        return { _ in
            guard let context = EffectContext.current else { return }
            context.registry.cancel(context.scoped(id), before: context.ordinal)
        }
    }

    /// Runs `effect` in a task that a cancellation of `id` ends, and waits for it.
    @MainActor
    static func run<Action>(
        _ effect: @escaping Effect<Action>, under id: AnyID, of child: AnyID? = nil,
        _ context: EffectContext.Value, _ send: @escaping Send<Action>
    ) async {
        let run = EffectRegistry.Run(ordinal: context.ordinal, child: child)
        context.registry.register(run, id: id)
        defer { context.registry.unregister(run, id: id) }
        let task = Task.immediate {
            guard !run.isCancelled else { return }
            await effect { action in
                if !run.isCancelled { send(action) }
            }
        }
        run.start(task)
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            run.cancel()
        }
    }
}

extension Effects {
    /// Returns `effect`, registered under an id so that ``cancel(id:)`` can end it. A cancelled run
    /// sends no further actions.
    ///
    /// With `cancelInFlight`, a new run first cancels the runs of earlier actions, as when the next
    /// letter replaces a search. The order of the actions decides which run is earlier. Outside a
    /// store, for example when a test calls the effect itself, the effect simply runs.
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

    /// Returns the result of `merge` or `concatenate`, registered under an id so that
    /// ``cancel(id:)`` can end it. Nil if `effect` is nil and `cancelInFlight` is false.
    @_disfavoredOverload
    public static func cancellable<Action>(
        id: some Hashable & Sendable, cancelInFlight: Bool = false, _ effect: Effect<Action>?
    ) -> Effect<Action>? {
        if let effect { return cancellable(id: id, cancelInFlight: cancelInFlight, effect) }
        return cancelInFlight ? cancel(id: id) : nil
    }

    /// Returns an effect that cancels every run that an earlier action started under `id`,
    /// including runs that have not begun. Once the `send` of the cancelling action has returned,
    /// actions of these runs are no longer delivered. Outside a store, the effect does nothing.
    public static func cancel<Action>(id: some Hashable & Sendable) -> Effect<Action> {
        let id = AnyID(id)
        return { _ in
            guard let context = EffectContext.current else { return }
            context.registry.cancel(context.scoped(id), before: context.ordinal)
        }
    }

    /// Runs `effect` in a task that cancelling `id` also cancels, and waits for the task.
    @MainActor
    static func run<Action>(
        _ effect: @escaping Effect<Action>, under id: AnyID, of child: AnyID? = nil,
        _ context: EffectContext, _ send: @escaping Send<Action>
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

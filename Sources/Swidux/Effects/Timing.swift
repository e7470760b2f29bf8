/// Effects that begin later than their actions.
extension Effects {
    /// Returns `effect`, delayed until `duration` has passed without another effect under `id`,
    /// such as a search that waits for a pause in typing. A test passes its own `clock`.
    public static func debounce<Action>(
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

    /// Returns `effect`, limited so that no more than one under `id` begins within `duration`. The
    /// first begins at once. Of those that follow, only the last begins, when the time is over. An
    /// example is saving a position while the user scrolls. A test passes its own `clock`.
    ///
    /// An effect that has begun is not replaced. ``cancel(id:)`` ends the waiting effect and the
    /// running ones. Outside a store, the effect simply runs.
    public static func throttle<Action>(
        id: some Hashable & Sendable, for duration: Duration,
        clock: any Clock<Duration> = ContinuousClock(), _ effect: @escaping Effect<Action>
    ) -> Effect<Action> {
        let id = AnyID(id)
        return cancellable(id: id) { send in
            guard let context = EffectContext.current else { return await effect(send) }
            let waiting = AnyID(Throttled(id: id))
            await cancel(id: waiting)(send)
            let begins = await turnComes(
                for: context.scoped(id), duration, clock, context, waiting: waiting, send)
            if begins { await effect(send) }
        }
    }

    /// Waits for the end of the pause of a throttled id, and begins another one. Returns false if a
    /// later effect has taken the place of this one.
    @MainActor
    private static func turnComes<Action>(
        for id: AnyID, _ duration: Duration, _ clock: any Clock<Duration>,
        _ context: EffectContext, waiting: AnyID, _ send: @escaping Send<Action>
    ) async -> Bool {
        var begins = false
        await run(
            { @MainActor _ in
                while let rest = context.registry.beginPause(of: id, for: duration, on: clock) {
                    do { try await clock.sleep(for: rest) } catch { return }
                    if Task.isCancelled { return }
                }
                begins = true
            }, under: context.scoped(waiting), context, send)
        return begins
    }

    /// The id of the effect that waits for the end of a pause.
    private struct Throttled: Hashable, Sendable {
        var id: AnyID
    }

    /// Returns `effect`, delayed until the effects of earlier actions under `id` have ended, such
    /// as uploads that must arrive in order.
    ///
    /// ``cancel(id:)`` ends the waiting effects and the running one. The effect must not contain
    /// another one with the same id, which would wait for it forever. Outside a store, the effect
    /// simply runs.
    public static func serial<Action>(
        id: some Hashable & Sendable, _ effect: @escaping Effect<Action>
    ) -> Effect<Action> {
        let id = AnyID(id)
        return cancellable(id: id) { send in
            guard let context = EffectContext.current else { return await effect(send) }
            await runInTurn(effect, context.scoped(id), context.registry, send)
        }
    }

    @MainActor
    private static func runInTurn<Action>(
        _ effect: @escaping Effect<Action>, _ id: AnyID, _ registry: EffectRegistry,
        _ send: @escaping Send<Action>
    ) async {
        let turn = DispatchScope()
        turn.enter()
        defer {
            turn.leave()
            registry.leave(turn, id: id)
        }
        // Waits even if it is cancelled, since the next one follows this one.
        await registry.join(turn, id: id)?.ended()
        if !Task.isCancelled { await effect(send) }
    }
}

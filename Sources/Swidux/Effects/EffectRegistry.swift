import Synchronization

/// The running effects of one store, kept so that they can be cancelled.
///
/// Ordinals decide which runs a cancellation reaches, because a run may register late: a part of an
/// effect that begins after an `await` may register after a later action has cancelled the id. Safe
/// from any thread.
final class EffectRegistry: Sendable {
    /// One run of an effect under an id.
    final class Run: Sendable {
        let ordinal: UInt64
        /// The id of the child whose entire effect this run executes, or nil for a run of
        /// ``Effects/cancellable(id:cancelInFlight:_:)``.
        let child: AnyID?
        private let state = Mutex<(isCancelled: Bool, task: Task<Void, Never>?)>((false, nil))

        init(ordinal: UInt64, child: AnyID? = nil) {
            self.ordinal = ordinal
            self.child = child
        }

        /// True if the run is cancelled. It then sends no further actions, even if its task
        /// continues.
        var isCancelled: Bool { state.withLock { $0.isCancelled } }

        func start(_ task: Task<Void, Never>) {
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.cancel() }
        }

        func cancel() {
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    private struct State {
        /// The tasks of the running effects, by the ordinals of their actions. Nil until the task
        /// is known.
        var roots: [UInt64: Task<Void, Never>?] = [:]
        var runs: [AnyID: [ObjectIdentifier: Run]] = [:]
        /// The ordinals below which runs are cancelled, by id.
        var cancelledBefore: [AnyID: UInt64] = [:]
        /// The number of cancelled ids at which the unneeded ones are removed.
        var maxCancelledIDs = 64
        /// The remaining pauses before the next effect, by throttled id.
        var pauses: [AnyID: @Sendable () -> Duration] = [:]
        /// The number of pauses at which the finished ones are removed.
        var maxPauses = 64
        /// The last effect in the queue of each serial id.
        var turns: [AnyID: DispatchScope] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// The number of cancelled ids that are remembered.
    var rememberedIDs: Int { state.withLock { $0.cancelledBefore.count } }

    /// Records that the effect of the action with this ordinal begins.
    func begin(_ ordinal: UInt64) { state.withLock { $0.roots[ordinal] = .some(nil) } }

    /// Keeps the task of an effect, unless it has ended.
    func keep(_ task: Task<Void, Never>, of ordinal: UInt64) {
        let isClosed = state.withLock { state in
            if state.roots[ordinal] != nil { state.roots[ordinal] = task }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Records that the effect has ended. A cancelled id is forgotten once no effect of an action
    /// before its cancellation is running, because then no run can register late.
    func end(_ ordinal: UInt64) {
        state.withLock { state in
            state.roots[ordinal] = nil
            guard state.roots.isEmpty || state.cancelledBefore.count >= state.maxCancelledIDs else {
                return
            }
            let oldest = state.roots.keys.min() ?? .max
            state.cancelledBefore = state.cancelledBefore.filter { $0.value > oldest }
            state.maxCancelledIDs = max(64, 2 * state.cancelledBefore.count)
        }
    }

    /// Cancels all effects, including those that begin later.
    func close() {
        let (tasks, runs) = state.withLock { state in
            state.isClosed = true
            return (state.roots.values.compactMap(\.self), state.runs.values.flatMap(\.values))
        }
        for run in runs { run.cancel() }
        for task in tasks { task.cancel() }
    }

    /// Registers a run under `id`; it is cancelled at once if a later action has already cancelled
    /// the id.
    func register(_ run: Run, id: AnyID) {
        let isLate = state.withLock { state in
            state.runs[id, default: [:]][ObjectIdentifier(run)] = run
            return state.isClosed || run.ordinal < state.cancelledBefore[id, default: 0]
        }
        if isLate { run.cancel() }
    }

    func unregister(_ run: Run, id: AnyID) {
        state.withLock { state in
            state.runs[id]?[ObjectIdentifier(run)] = nil
            if state.runs[id]?.isEmpty == true { state.runs[id] = nil }
        }
    }

    /// Cancels every run under `id` whose action came before `ordinal`.
    func cancel(_ id: AnyID, before ordinal: UInt64) {
        let runs = state.withLock { state in
            state.cancelledBefore[id] = max(ordinal, state.cancelledBefore[id, default: 0])
            return state.runs[id].map { $0.values.filter { $0.ordinal < ordinal } } ?? []
        }
        for run in runs { run.cancel() }
    }
    /// Cancels every run under `id` of a child for which `isPresent` returns false.
    func cancel(_ id: AnyID, unless isPresent: (AnyID) -> Bool) {
        let runs = state.withLock { state in
            state.runs[id].map { Array($0.values) } ?? []
        }
        for run in runs {
            if let child = run.child, !isPresent(child) { run.cancel() }
        }
    }
    /// Begins a pause of a throttled id and returns nil. If a pause has already begun, returns its
    /// remaining time instead.
    func beginPause(of id: AnyID, for duration: Duration, on clock: any Clock<Duration>)
        -> Duration?
    {
        let pause = Self.pause(for: duration, on: clock)
        return state.withLock { state in
            if let rest = state.pauses[id]?(), rest > .zero { return rest }
            if state.pauses.count >= state.maxPauses {
                state.pauses = state.pauses.filter { $0.value() > .zero }
                state.maxPauses = max(64, 2 * state.pauses.count)
            }
            state.pauses[id] = pause
            return nil
        }
    }

    private static func pause(
        for duration: Duration, on clock: some Clock<Duration>
    ) -> @Sendable () -> Duration {
        let end = clock.now.advanced(by: duration)
        return { clock.now.duration(to: end) }
    }

    /// Adds a turn to the end of a serial id's queue. Returns the turn that must end first, or nil.
    func join(_ turn: DispatchScope, id: AnyID) -> DispatchScope? {
        state.withLock { state in
            defer { state.turns[id] = turn }
            return state.turns[id]
        }
    }

    /// Forgets a turn that has ended, if none has joined after it.
    func leave(_ turn: DispatchScope, id: AnyID) {
        state.withLock { if $0.turns[id] === turn { $0.turns[id] = nil } }
    }
}

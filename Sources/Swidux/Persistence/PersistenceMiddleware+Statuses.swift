extension PersistenceMiddleware {
    /// ``status`` now and after every change of it, its counter of actions alone excepted, until
    /// the middleware is released.
    ///
    /// - Parameter limit: how many values wait for whoever iterates; the oldest goes first.
    public func statuses(buffering limit: Int = 1) -> AsyncStream<PersistenceStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PersistenceStatus.self, bufferingPolicy: .bufferingNewest(limit))
        continuation.yield(status)
        lastWatcher += 1
        let number = lastWatcher
        watchers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.watchers[number] = nil }
        }
        return stream
    }

    func publish() {
        let pending = pendingCount
        status.pending = pending
        status.flushDue = pipeline.due(hasPending: pending > 0)
        status.nextTry = pipeline.nextTry
        status.inFlight = 0
        status.refused = []
        for buffer in pipe.buffers {
            status.inFlight += buffer.inFlightCount
            status.refused += buffer.refusals
        }
        status.phase = phase
        published.counters.actions = status.counters.actions
        guard status != published else { return }
        published = status
        onStatus?(status)
        for watcher in watchers.values { watcher.yield(status) }
    }

    private var phase: PersistenceStatus.Phase {
        if pipeline.isCommitting, pipeline.log != .torn { return .saving }
        if status.failure != nil || !status.refused.isEmpty { return .failing }
        return isDue ? .unsaved : .saved
    }
}

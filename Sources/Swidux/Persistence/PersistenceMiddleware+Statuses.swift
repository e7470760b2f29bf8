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
        update(&status)
        published.counters.actions = status.counters.actions
        guard status != published else { return }
        published = status
        onStatus?(status)
        for watcher in watchers.values { watcher.yield(status) }
    }

    private func update(_ status: inout PersistenceStatus) {
        status.pending = 0
        status.inFlight = 0
        status.refused.removeAll()
        for buffer in pipe.buffers {
            let counts = buffer.counts()
            status.pending += counts.pending
            status.inFlight += counts.inFlight
            status.refused += buffer.refusals
        }
        let hasPending = status.pending > 0
        status.flushDue = pipeline.due(hasPending: hasPending)
        status.nextTry = pipeline.nextTry
        status.phase =
            if pipeline.isCommitting, pipeline.log != .torn {
                .saving
            } else if status.failure != nil || !status.refused.isEmpty {
                .failing
            } else {
                pipeline.isOwing || hasPending ? .unsaved : .saved
            }
    }
}

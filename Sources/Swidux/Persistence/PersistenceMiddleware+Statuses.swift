extension PersistenceMiddleware {
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
    }

    private var phase: PersistenceStatus.Phase {
        if pipeline.isCommitting, pipeline.log != .torn { return .saving }
        if status.failure != nil || !status.refused.isEmpty { return .failing }
        return isDue ? .unsaved : .saved
    }
}

/// The status that the pipeline reports.
extension PersistencePipeline {
    func publish() {
        update(&status)
        published.counters.actions = status.counters.actions
        guard status != published else { return }
        published = status
        onStatus?(status)
    }

    private func update(_ status: inout PersistenceStatus) {
        status.pending = buffer.pendingCount
        status.inFlight = buffer.inFlightCount
        status.refused = buffer.refusals
        let hasPending = status.pending > 0
        status.flushDue = pipeline.due(hasPending: hasPending)
        status.nextTry = pipeline.nextTry
        status.phase =
            if pipeline.isCommitting, pipeline.log != .torn {
                .saving
            } else if status.failure != nil || !status.refused.isEmpty {
                .failing
            } else {
                pipeline.requiresCommit || hasPending ? .unsaved : .saved
            }
    }
}

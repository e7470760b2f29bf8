/// The log, which protects changes from a sudden end of the process until they are committed.
extension PersistencePipeline {
    /// Reports progress to the log. If the log fails to record it, the log is rewritten later.
    func note(_ progress: () throws -> Void) {
        do {
            try progress()
        } catch {
            pipeline.logTorn()
        }
    }

    /// Appends the last drain to the log. If the log lacks changes, or if the caller requests it,
    /// rewrites the log instead. During a command of several actions, the log is rewritten only
    /// after the last action, because a rewritten log must not contain part of a command.
    ///
    /// If appending fails, the log is replaced at once, because the replacement may find another
    /// place.
    func updateLog(rewriting: Bool = false) {
        if !rewriting, pipeline.log != .torn {
            guard let error = error(of: { try intents?.append(buffer.lastDrained) }) else { return }
            guard !pipeline.isHeld else { return report(error) }
        } else if pipeline.isHeld {
            return pipeline.logTorn()
        }
        if let error = error(of: { try intents?.replace(with: buffer.waiting) }) {
            report(error)
        } else {
            pipeline.logRenewed()
        }
    }

    /// Tells the log that a command of several actions is complete.
    func endGroup() {
        if pipeline.log == .torn || error(of: { try intents?.groupEnded() }) != nil {
            updateLog(rewriting: true)
        }
    }

    private func error(of write: () throws -> Void) -> (any Error)? {
        do {
            try write()
            return nil
        } catch {
            return error
        }
    }

    /// Reports that the log lacks a change, and flushes the pending changes to storage.
    private func report(_ error: any Error) {
        pipeline.logTorn()
        // If nothing is pending, the log lacks nothing. The next change replaces it.
        guard isDue || pipeline.isCommitting else { return }
        status.failure = describe(error)
        // Only storage can keep the pending changes now. A retry keeps its delay.
        if pipeline.retry == .none, pipeline.flight == .none { pipeline.hurry(at: now()) }
    }

    /// Syncs all uncommitted changes to the log, so that they survive a loss of power.
    ///
    /// - Returns: their location, for messages to the user, or `nil` if there is no log.
    /// - Throws: the errors of the log.
    package func keepLog() async throws -> String? {
        try await intents?.keep(buffer.waiting)
    }

    /// Closes the log at the end of the process. Uncommitted changes stay in it for the next
    /// process that opens the storage.
    package func closeLog() { intents?.close() }

    /// Closes the log at the end of the process and discards uncommitted changes, except changes
    /// from an earlier process.
    package func giveUpLog() { intents?.close(givingUp: buffer.waiting) }
}

/// What keeps changes from a sudden end of the process until they are committed.
extension PersistencePipeline {
    /// A log that could not be told what becomes of its records is made anew in time.
    func note(_ progress: () throws -> Void) {
        do {
            try progress()
        } catch {
            pipeline.logTorn()
        }
    }

    /// Tells the log of the last drain, or makes it anew: within a command that takes several
    /// actions only once that is complete, since none of it may be in the log before.
    ///
    /// If the log takes no record, it is replaced at once, because it may find another place.
    func log(anew: Bool = false) {
        if !anew, pipeline.log != .torn {
            guard let error = error(of: { try intents?.append(buffer.fresh) }) else { return }
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

    /// A command that takes several actions is complete.
    func endGroup() {
        if pipeline.log == .torn || error(of: { try intents?.groupEnded() }) != nil {
            log(anew: true)
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
        // With nothing pending, the log lacks nothing: the next change replaces it.
        guard isDue || pipeline.isCommitting else { return }
        status.failure = describe(error)
        // Only storage can keep the pending changes now. A retry keeps its delay.
        if pipeline.retry == .none, pipeline.flight == .none { pipeline.hurry(at: now()) }
    }

    /// Has what is not committed survive the loss of power, in the log.
    ///
    /// - Returns: where it is, for whoever opens the storage next; nil if there is no log.
    /// - Throws: what the log throws.
    package func keepLog() async throws -> String? {
        try await intents?.keep(buffer.waiting)
    }

    /// Ends the log at the end of the process. What is not committed stays in it, for whoever opens
    /// the storage next.
    package func closeLog() { intents?.close() }

    /// Ends the log at the end of the process. What is not committed is given up, unless an earlier
    /// process left it.
    package func giveUpLog() { intents?.close(givingUp: buffer.waiting) }
}

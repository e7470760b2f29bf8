/// The timer, commits and fetches.
extension PersistencePipeline {
    /// Begins the next step.
    func advance(at time: ContinuousClock.Instant) {
        if pipeline.flight == .none, pipeline.fetching != .behind { settledFlush = committedFlush }
        switch pipeline.next(hasPending: buffer.pendingCount > 0, at: time) {
        case .commit:
            cancelTimer()
            beginCommit()
        case .fetch: beginFetch()
        case .wait(let due): setTimer(to: due, at: time)
        case .rest: cancelTimer()
        }
    }

    func cancelTimer() {
        if scheduled != nil { timer.cancel() }
        scheduled = nil
    }

    func setTimer(to due: ContinuousClock.Instant, at time: ContinuousClock.Instant) {
        // A timer that fires too early is set again at that time, which is cheaper than setting it
        // at every key.
        if let scheduled, scheduled <= due { return }
        scheduled = due
        // Retains the pipeline: pending changes are written even if its owner has released it
        // meanwhile.
        timer.schedule(after: due - time) { [self] in
            scheduled = nil
            advance(at: now())
            publish()
        }
    }

    private func beginCommit() {
        flushes += 1
        buffer.startFlight()
        if status.failure != nil { status.counters.retries += 1 }
        let start = now()
        note { try intents?.handOver() }
        let context = ObjectIdentifier(self)
        // The task is never cancelled. It runs off the main actor, because `flushNow` blocks that.
        let work = Task { @concurrent [commit, batch = buffer.inFlight] in
            try await $flyingPipeline.withValue(context) { try await commit(batch) }
        }
        committing = (start, work)
        flight = Task { [flushes] in ended(flushes, await work.result) }
        publish()
    }

    /// Handles the result of a commit, unless ``flushNow(within:)`` has already handled it.
    func ended(_ flush: Int, _ result: Result<CommitResult<Changes>, any Error>) {
        guard let committing, flush == flushes else { return }
        self.committing = nil
        onCommit?(result)
        switch result {
        case .success(let result): commitSucceeded(result, since: committing.start)
        case .failure(let error): commitFailed(error)
        }
    }

    private func commitSucceeded(
        _ result: CommitResult<Changes>, since start: ContinuousClock.Instant
    ) {
        committedFlush = flushes
        status.failure = nil
        status.counters.rows += buffer.commitSucceeded(result)
        status.counters.batches += 1
        status.counters.latencies = status.counters.latencies.suffix(31) + [now() - start]
        let hasArrival = onArrival != nil && result.isDifferent
        pipeline.commitSucceeded(isBehind: result.isBehind, hasArrival: hasArrival)
        note { try intents?.committed() }
        // The screen still shows refused changes, but the log has discarded them with their batch.
        if pipeline.isLogStale || !buffer.refusals.isEmpty { updateLog(rewriting: true) }
        if hasArrival {
            hold(
                Arrival(
                    result.stored ?? buffer.empty(), conflicts: result.conflicts,
                    substitutes: result.substitutes))
        }
        advance(at: now())
        publish()
    }

    private func commitFailed(_ error: any Error) {
        pipeline.commitFailed(at: now())
        status.failure = describe(error)
        status.counters.failures += 1
        buffer.commitFailed()
        advance(at: now())
        publish()
    }

    private func beginFetch() {
        guard let fetch else { return }
        precondition(onArrival != nil, "A pipeline that fetches needs a Store with `arrived:`.")
        flight = Task {
            do {
                let fetched = try await $flyingPipeline.withValue(ObjectIdentifier(self)) {
                    try await fetch { self.buffer.known }
                }
                onFetch?(.success(fetched))
                pipeline.fetched(isComplete: fetched.isComplete, hasArrival: true, at: now())
                hold(Arrival(fetched.changes), confirmed: fetched.confirmed)
            } catch {
                onFetch?(.failure(error))
                // Only commits report whether storage works.
                pipeline.fetchFailed()
            }
            advance(at: now())
            publish()
        }
    }

    /// Keeps a report of storage until the store takes it.
    private func hold(_ arrival: Arrival<Changes>, confirmed: Changes? = nil) {
        waitingReport = (arrival, confirmed)
        onArrival?()
    }
}

extension CommitResult {
    /// True if the state differs from storage after the commit.
    fileprivate var isDifferent: Bool {
        stored != nil || !conflicts.isEmpty || !substitutes.isEmpty
    }
}

/// The pipeline for which the current task runs a commit or a fetch.
@TaskLocal var flyingPipeline: ObjectIdentifier?

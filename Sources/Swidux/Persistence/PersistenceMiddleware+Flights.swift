/// What the pipeline begins and what becomes of it: the timer, commits and fetches.
extension PersistenceMiddleware {
    /// Begins whatever is next.
    func advance(at time: ContinuousClock.Instant) {
        if pipeline.flight == .none, pipeline.fetching != .behind { settledFlush = landedFlush }
        switch pipeline.next(hasPending: pendingCount > 0, at: time) {
        case .commit:
            cancelTimer()
            commit()
        case .fetch: fetch()
        case .wait(let due): setTimer(to: due, at: time)
        case .rest: cancelTimer()
        }
    }

    func cancelTimer() {
        if scheduled != nil { timer.cancel() }
        scheduled = nil
    }

    func setTimer(to due: ContinuousClock.Instant, at time: ContinuousClock.Instant) {
        // A timer that fires too early is set again then, which is cheaper than to set it anew at
        // every key.
        if let scheduled, scheduled <= due { return }
        scheduled = due
        // Retains the pipeline: what is pending is written, whoever has let go of it meanwhile.
        timer.schedule(after: due - time) { [self] in
            scheduled = nil
            advance(at: now())
            publish()
        }
    }

    func commit() {
        flushes += 1
        for buffer in pipe.buffers { buffer.takeOff() }
        if status.failure != nil { status.counters.retries += 1 }
        let start = now()
        let commit = pipe.prepare()
        note { try pipe.handOver() }
        // Of its own: nobody else holds this task, so nobody can cancel the write.
        flight = Task {
            do {
                land(try await commit(), since: start)
            } catch {
                turnBack(error)
            }
        }
        publish()
    }

    func land(
        _ landing: PersistencePipe<State>.Landing, since start: ContinuousClock.Instant
    ) {
        landedFlush = flushes
        status.failure = nil
        status.counters.rows += landing.land()
        status.counters.batches += 1
        status.counters.latencies = status.counters.latencies.suffix(31) + [now() - start]
        pipeline.landed(isBehind: landing.isBehind, hasArrival: landing.parcel != nil)
        note { try pipe.committed() }
        // What was refused is on the screen, and left the log with its batch.
        let hasRefusals = pipe.buffers.contains { !$0.refusals.isEmpty }
        if pipeline.isLogStale || hasRefusals { log(anew: true) }
        hold(landing.parcel)
        advance(at: now())
        publish()
    }

    func turnBack(_ error: any Error) {
        pipeline.turnedBack(at: now())
        status.failure = describe(error)
        status.counters.failures += 1
        for buffer in pipe.buffers { buffer.turnBack() }
        advance(at: now())
        publish()
    }

    func fetch() {
        guard let fetch = pipe.fetch else { return }
        flight = Task {
            do {
                let fetched = try await fetch()
                pipeline.fetched(
                    isComplete: fetched.isComplete, hasArrival: fetched.parcel != nil, at: now())
                hold(fetched.parcel)
            } catch {
                // Whether storage works is told by commits.
                pipeline.fetchFailed()
            }
            advance(at: now())
            publish()
        }
    }

    /// Keeps what has arrived until the store asks for it.
    func hold(_ parcel: PersistencePipe<State>.Parcel?) {
        guard let parcel else { return }
        self.parcel = parcel
        onArrival?()
    }
}

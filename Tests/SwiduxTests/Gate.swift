/// Lines written by concurrent code.
actor Log {
    private(set) var lines: [String] = []

    func add(_ lines: [String]) { self.lines += lines }
}

/// A place where effects wait to be cancelled, and where tests wait for them.
actor Gate {
    private(set) var cancelled = 0
    private var count = 0
    private var waiting:
        [(number: Int, leaving: Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Returns when the task that calls it is cancelled.
    func waitUntilCancelled() async {
        count += 1
        wake()
        // Suspends until cancellation ends the sequence.
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
        if Task.isCancelled { cancelled += 1 }
        wake()
    }

    /// Returns once this many tasks have come to wait.
    func entered(_ number: Int) async { await wait(for: number, leaving: false) }

    /// Returns once this many tasks were cancelled.
    func left(_ number: Int) async { await wait(for: number, leaving: true) }

    private func wait(for number: Int, leaving: Bool) async {
        guard (leaving ? cancelled : count) < number else { return }
        await withCheckedContinuation { waiting.append((number, leaving, $0)) }
    }

    private func wake() {
        let ready = waiting.filter { $0.number <= ($0.leaving ? cancelled : count) }
        waiting.removeAll { $0.number <= ($0.leaving ? cancelled : count) }
        for waiter in ready { waiter.continuation.resume() }
    }
}

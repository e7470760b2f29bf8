import Synchronization

/// The streams that a store feeds, to be ended with it. Safe from any thread.
final class StreamRegistry: Sendable {
    private let state = Mutex<(next: Int, ends: [Int: @Sendable () -> Void])>((0, [:]))

    /// Keeps how a stream is ended, under the number that it returns.
    func begin(_ end: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.ends[state.next] = end
            return state.next
        }
    }

    /// Forgets the stream.
    func end(_ number: Int) {
        state.withLock { _ = $0.ends.removeValue(forKey: number) }
    }

    /// Ends all streams.
    func close() {
        let ends = state.withLock { state in
            defer { state.ends = [:] }
            return Array(state.ends.values)
        }
        for end in ends { end() }
    }
}

import Synchronization

/// The streams of a store, which end with it. Safe from any thread.
final class StreamRegistry: Sendable {
    private let state = Mutex<(next: Int, ends: [Int: @Sendable () -> Void])>((0, [:]))

    /// Keeps the function that ends a stream, and returns its number.
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

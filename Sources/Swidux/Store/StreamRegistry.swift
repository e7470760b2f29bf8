import Synchronization

/// The streams of a store, which end when it is released. Safe from any thread.
final class StreamRegistry: Sendable {
    private let state = Mutex<(next: Int, ends: [Int: @Sendable () -> Void])>((0, [:]))

    /// Keeps the function that ends a stream. Returns the stream's number.
    func begin(_ end: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.ends[state.next] = end
            return state.next
        }
    }

    /// Forgets the stream with this number, which has ended.
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

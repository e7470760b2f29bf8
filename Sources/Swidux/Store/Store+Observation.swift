/// Observation of changes, by function calls or by asynchronous sequences.
extension Store {
    /// Calls `body` with the current state and with the state after every action, on the main
    /// actor, until the subscription is cancelled or released. `body` may send.
    ///
    /// - Parameters:
    ///   - oncePerTurn: true to call `body` only once, in the next turn of the main queue, for all
    ///     actions of the present turn. Use it for code that draws. By default, `body` is called
    ///     before `subscribe` returns, and then after every action, before the next one is handled.
    ///   - body: the function to call with the state.
    public func subscribe(
        oncePerTurn: Bool = false,
        _ body: @escaping @MainActor (State) -> Void
    ) -> Subscription {
        subscription(oncePerTurn: oncePerTurn) { body($0) }
    }

    /// Calls `body` with the selected part of the state: first with the current one, then whenever
    /// it has changed. The calls come at the same times as those of ``subscribe(oncePerTurn:_:)``.
    ///
    /// The parts of two states are compared by `==`. For an ``EntityStore``, this costs O(1) if it
    /// has not changed, and O(√n) after an edit.
    public func subscribe<Value: Equatable>(
        to select: @escaping @MainActor (State) -> Value,
        oncePerTurn: Bool = false,
        _ body: @escaping @MainActor (Value) -> Void
    ) -> Subscription {
        var last: Value?
        return subscription(oncePerTurn: oncePerTurn) { state in
            let value = select(state)
            guard value != last else { return }
            last = value
            body(value)
        }
    }

    /// Returns a stream of the current state, and of the state after every action. It ends when the
    /// store is released.
    ///
    /// - Parameter limit: the maximum number of unread states. Beyond it, the oldest is dropped.
    public func states(buffering limit: Int = 1) -> AsyncStream<State> where State: Sendable {
        stream(buffering: limit) { yield in subscribe { yield($0) } }
    }

    /// Returns a stream of the selected part of the state: of the current one, and of its new value
    /// whenever it has changed. It ends when the store is released. `limit` is the maximum number
    /// of unread values. Beyond it, the oldest is dropped.
    public func values<Value: Equatable & Sendable>(
        of select: @escaping @MainActor (State) -> Value, buffering limit: Int = 1
    ) -> AsyncStream<Value> {
        stream(buffering: limit) { yield in
            subscribe(to: select) { yield($0) }
        }
    }

    private func stream<Value: Sendable>(
        buffering limit: Int,
        _ subscribe: (@escaping @MainActor (Value) -> Void) -> Subscription
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(limit))
        let subscription = subscribe { continuation.yield($0) }
        let number = streams.begin { continuation.finish() }
        continuation.onTermination = { [weak streams] _ in
            streams?.end(number)
            // The stream retains its subscription and cancels it at the end.
            Task { @MainActor in subscription.cancel() }
        }
        return stream
    }
}

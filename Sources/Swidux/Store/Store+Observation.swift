/// Observation of changes, by function calls or by asynchronous sequences.
extension Store {
    /// Calls `body` with the current state and with the state after every action, on the main
    /// actor, until the subscription is cancelled or released. `body` may send.
    ///
    /// - Parameter oncePerTurn: whether `body` is called once in the next turn of the main queue,
    ///   however many actions this one handles: for code that draws. By default it is called before
    ///   this returns, and after every action, before the next one is taken.
    public func subscribe(
        oncePerTurn: Bool = false,
        _ body: @escaping @MainActor (State) -> Void
    ) -> Subscription {
        subscription(oncePerTurn: oncePerTurn) { body($0) }
    }

    /// Calls `body` with the selected part of the state: the current one, and whenever it has
    /// changed. The first call comes as that of ``subscribe(oncePerTurn:_:)``.
    ///
    /// The parts of two states are compared by `==`. For an ``EntityStore`` that costs O(1) if it
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

    /// The state now and after every action, until the store is released.
    ///
    /// - Parameter limit: how many states wait to be read; beyond that the oldest is dropped.
    public func states(buffering limit: Int = 1) -> AsyncStream<State> where State: Sendable {
        stream(buffering: limit) { yield in subscribe { yield($0) } }
    }

    /// The selected part now and whenever it has changed, until the store is released. Up to
    /// `limit` values wait to be read; beyond that the oldest is dropped.
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
            // The stream retains its subscription, which ends with it.
            Task { @MainActor in subscription.cancel() }
        }
        return stream
    }
}

/// Being told of changes: by calls, or by sequences to iterate over.
extension Store {
    /// Calls `body` with the state after every action, on the main actor, until the subscription is
    /// cancelled or released. `body` may send.
    public func subscribe(
        delivery: Subscription.Delivery = .everyAction,
        _ body: @escaping @MainActor (State) -> Void
    ) -> Subscription {
        subscription(delivery) { body($0) }
    }

    /// Calls `body` with the selected part of the state whenever that has changed, not with the one
    /// of now.
    ///
    /// The parts of two states are compared by `==`, an ``EntityStore`` by its revision.
    public func subscribe<Value: Equatable & SendableMetatype>(
        to select: @escaping @MainActor (State) -> Value,
        delivery: Subscription.Delivery = .everyAction,
        _ body: @escaping @MainActor (Value) -> Void
    ) -> Subscription {
        subscribe(to: select, delivery: delivery, isSame: ==, body)
    }

    /// Calls `body` with the selected part whenever its ``Revisioned/revision`` is another: O(1),
    /// whatever the size.
    public func subscribe<Value: Revisioned & SendableMetatype>(
        to select: @escaping @MainActor (State) -> Value,
        delivery: Subscription.Delivery = .everyAction,
        _ body: @escaping @MainActor (Value) -> Void
    ) -> Subscription {
        var last = select(state).revision
        return subscription(delivery) { state in
            let value = select(state)
            guard value.revision != last else { return }
            last = value.revision
            body(value)
        }
    }

    /// Calls `body` with the selected part whenever `isSame` says that it is not the one that was
    /// told last.
    public func subscribe<Value>(
        to select: @escaping @MainActor (State) -> Value,
        delivery: Subscription.Delivery = .everyAction,
        isSame: @escaping @MainActor (Value, Value) -> Bool,
        _ body: @escaping @MainActor (Value) -> Void
    ) -> Subscription {
        var last = select(state)
        return subscription(delivery) { state in
            let value = select(state)
            guard !isSame(last, value) else { return }
            last = value
            body(value)
        }
    }

    /// The state now and after every action, until the store is released.
    ///
    /// - Parameter limit: how many states wait for whoever iterates; the oldest goes first.
    public func states(buffering limit: Int = 1) -> AsyncStream<State> where State: Sendable {
        stream(buffering: limit, first: state) { yield in subscribe { yield($0) } }
    }

    /// The selected part now and whenever it has changed, until the store is released. Up to
    /// `limit` values wait for whoever iterates; the oldest goes first.
    public func values<Value: Equatable & Sendable>(
        of select: @escaping @MainActor (State) -> Value, buffering limit: Int = 1
    ) -> AsyncStream<Value> {
        stream(buffering: limit, first: select(state)) { yield in
            subscribe(to: select) { yield($0) }
        }
    }

    /// The selected part now and whenever its revision is another, until the store is released.
    public func values<Value: Revisioned & Sendable>(
        of select: @escaping @MainActor (State) -> Value, buffering limit: Int = 1
    ) -> AsyncStream<Value> {
        stream(buffering: limit, first: select(state)) { yield in
            subscribe(to: select) { yield($0) }
        }
    }

    private func stream<Value: Sendable>(
        buffering limit: Int, first: Value,
        _ subscribe: (@escaping @MainActor (Value) -> Void) -> Subscription
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(limit))
        continuation.yield(first)
        let subscription = subscribe { continuation.yield($0) }
        let number = streams.begin { continuation.finish() }
        continuation.onTermination = { [weak streams] _ in
            streams?.end(number)
            // The stream keeps its subscription; it ends where it lives.
            Task { @MainActor in subscription.cancel() }
        }
        return stream
    }
}

/// A value that can say in O(1) whether it is still the one that was seen.
public protocol Revisioned: Equatable {
    /// Equal stamps mean equal contents.
    var revision: Revision { get }
}

extension EntityStore: Revisioned {}

import Dispatch

/// Calls a function when the state changes. It ends when it is cancelled or released: keep it.
@MainActor
public final class Subscription {
    private var body: (() -> Void)?
    /// The ``Receiver`` that the store calls, released with the subscription.
    private var receiver: AnyObject?
    /// True if the function is called once in the next turn of the main queue, and false if it is
    /// called after every action.
    let oncePerTurn: Bool
    private var isScheduled = false

    init(oncePerTurn: Bool, _ receiver: AnyObject, _ body: @escaping () -> Void) {
        self.oncePerTurn = oncePerTurn
        self.receiver = receiver
        self.body = body
    }

    /// Ends it and releases the function, which is not called again, not even for the current
    /// action.
    public func cancel() { (body, receiver) = (nil, nil) }

    /// Calls the function in the next turn, once.
    func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isScheduled = false
                self.body?()
            }
        }
    }
}

/// The function of a subscription.
@MainActor
final class Receiver<State> {
    let body: @MainActor (State) -> Void

    init(_ body: @escaping @MainActor (State) -> Void) { self.body = body }
}

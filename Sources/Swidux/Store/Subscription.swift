import Dispatch

/// Calls a function when the state changes. It ends when it is cancelled or released: keep it.
@MainActor
public final class Subscription {
    private var body: (() -> Void)?
    /// The ``Receiver`` that the store calls, released with the subscription.
    private var receiver: AnyObject?
    let delivery: Delivery
    private var isScheduled = false

    /// When a subscription calls its function.
    public enum Delivery: Sendable, Hashable {
        /// After every action, before the next one is taken.
        case everyAction
        /// Once in the next turn of the main queue, however many actions this one handles: for code
        /// that draws.
        case oncePerTurn
    }

    init(_ delivery: Delivery, _ receiver: AnyObject, _ body: @escaping () -> Void) {
        self.delivery = delivery
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

import Dispatch

/// An observer of the state, which calls a function after actions. It ends when it is cancelled or
/// released, so keep a reference.
@MainActor
public final class Subscription {
    private var body: (() -> Void)?
    /// The ``Receiver`` that the store calls, released with the subscription.
    private var receiver: AnyObject?
    /// True if the function is called once per turn of the main queue, and false if it is called
    /// after every action.
    let oncePerTurn: Bool
    private var isScheduled = false

    init(oncePerTurn: Bool, _ receiver: AnyObject, _ body: @escaping () -> Void) {
        self.oncePerTurn = oncePerTurn
        self.receiver = receiver
        self.body = body
    }

    /// Ends the subscription and releases the function. It is not called again, even for the
    /// current action.
    public func cancel() { (body, receiver) = (nil, nil) }

    /// Schedules one call of the function in the next turn of the main queue.
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

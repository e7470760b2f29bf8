import Dispatch

/// Calls a function when the state changes. It ends when it is cancelled or released: keep it.
@MainActor
public final class Subscription {
    private var body: (() -> Void)?
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

    init(_ delivery: Delivery, _ body: @escaping () -> Void) {
        self.delivery = delivery
        self.body = body
    }

    /// Ends it: the function is not called again, not even for the current action.
    public func cancel() { body = nil }

    var isActive: Bool { body != nil }

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

import Dispatch

/// A standing request to be told of changes. It ends when it is cancelled or released: keep it.
@MainActor
public final class Subscription {
    private var body: (() -> Void)?
    let delivery: Delivery
    private var isScheduled = false

    /// When a subscription is told.
    public enum Delivery: Sendable, Hashable {
        /// After every action, before the next one is taken.
        case everyAction
        /// Once in the turn of the main queue that follows, however many actions this one takes:
        /// for what draws.
        case oncePerTurn
    }

    init(_ delivery: Delivery, _ body: @escaping () -> Void) {
        self.delivery = delivery
        self.body = body
    }

    /// Ends it: nothing is told any more, not even of the action that is being worked on.
    public func cancel() { body = nil }

    var isActive: Bool { body != nil }

    /// Tells it in the next turn, once.
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

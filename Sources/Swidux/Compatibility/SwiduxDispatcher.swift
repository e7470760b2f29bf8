/// A receiver of actions.
///
/// Only `send(_:)` is bound to the main actor: what adopts it need not be.
public protocol SwiduxDispatcher<Action> {
    /// The actions that it takes.
    associatedtype Action

    /// Sends an action: it is reduced at once, or after those sent before it.
    @MainActor func send(_ action: Action)
}

extension Store: SwiduxDispatcher {}

extension Dispatcher: SwiduxDispatcher {}

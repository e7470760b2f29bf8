/// A receiver of actions.
///
/// Only `send(_:)` is isolated to the main actor. Conforming types need not be.
public protocol SwiduxDispatcher<Action> {
    /// The type of the actions.
    associatedtype Action

    /// Sends an action. The store reduces it at once, or after the actions that were sent before
    /// it.
    @MainActor func send(_ action: Action)
}

extension Store: SwiduxDispatcher {}

extension Dispatcher: SwiduxDispatcher {}

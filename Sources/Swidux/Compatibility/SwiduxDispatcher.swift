/// A receiver of actions.
///
/// Only `send(_:)` is isolated to the main actor. Conforming types need not be.
public protocol SwiduxDispatcher<Action> {
    /// The actions that it takes.
    associatedtype Action

    /// Sends an action: it is reduced at once, or after those sent before it.
    @MainActor func send(_ action: Action)
}

extension Store: SwiduxDispatcher {}

extension Dispatcher: SwiduxDispatcher {}

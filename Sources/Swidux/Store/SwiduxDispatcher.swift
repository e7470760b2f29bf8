/// A receiver of actions.
@MainActor
public protocol SwiduxDispatcher<Action> {
    /// The actions that it takes.
    associatedtype Action

    /// Sends an action: it is reduced at once, or after those sent before it.
    func send(_ action: Action)
}

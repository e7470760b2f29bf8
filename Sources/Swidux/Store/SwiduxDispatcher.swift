/// What actions can be sent to.
@MainActor
public protocol SwiduxDispatcher<Action> {
    /// What it takes.
    associatedtype Action

    /// Takes an action: reduces it at once, or when those sent before it are done.
    func send(_ action: Action)
}

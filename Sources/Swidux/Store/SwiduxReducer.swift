/// What turns an action into a new state.
///
/// A reducer is synchronous and touches nothing but `state` and the values of `environment`. A
/// feature's reducer handles its own `Action`; its effects send the application's `RootAction`.
public protocol SwiduxReducer<State, Action, RootAction, Environment> {
    /// What it changes: the whole state, or a feature's part of it.
    associatedtype State
    /// What it handles.
    associatedtype Action
    /// What its effects send.
    associatedtype RootAction
    /// What it is given beside state and action: clocks, makers of ids, services for effects.
    associatedtype Environment

    /// Changes `state` in place for `action`, and may return work to be started once the change is
    /// made.
    func reduce(state: inout State, action: Action, environment: Environment) -> Effect<RootAction>?
}

/// Changes the state for an action.
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
    /// What it is given besides state and action: clocks, functions that make ids, services for
    /// effects.
    associatedtype Environment

    /// Changes `state` in place for `action`, and may return an effect, which is started once the
    /// change is made.
    func reduce(state: inout State, action: Action, environment: Environment) -> Effect<RootAction>?
}

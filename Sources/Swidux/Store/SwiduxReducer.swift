/// A type that changes the state for an action.
///
/// A reducer is synchronous and touches only `state` and the values of `environment`. A feature's
/// reducer handles its own `Action`; its effects send the application's `RootAction`.
public protocol SwiduxReducer<State, Action, RootAction, Environment> {
    /// The type that the reducer changes: the whole state, or a feature's part of it.
    associatedtype State
    /// The type of the actions that the reducer handles.
    associatedtype Action
    /// The type of the actions that the reducer's effects send.
    associatedtype RootAction
    /// Values that the reducer receives in addition to state and action: clocks, functions that
    /// create ids, services for effects.
    associatedtype Environment

    /// Changes `state` in place for `action`, and may return an effect, which the store starts
    /// after the change.
    func reduce(state: inout State, action: Action, environment: Environment) -> Effect<RootAction>?
}

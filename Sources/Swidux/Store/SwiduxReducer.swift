/// Changes the state for an action.
///
/// A reducer is synchronous and touches only `state` and the values of `environment`. A feature's
/// reducer handles its own `Action`; its effects send the application's `RootAction`.
public protocol SwiduxReducer<State, Action, RootAction, Environment> {
    /// The type that the reducer changes: the whole state, or a feature's part of it.
    associatedtype State
    /// The type of the actions that it handles.
    associatedtype Action
    /// The type of the actions that its effects send.
    associatedtype RootAction
    /// Values that the reducer receives in addition to state and action: clocks, functions that
    /// create ids, services for effects.
    associatedtype Environment

    /// Changes `state` in place for `action`, and may return an effect, which is started once the
    /// change is made.
    func reduce(state: inout State, action: Action, environment: Environment) -> Effect<RootAction>?
}

/// What turns an action into a new state.
///
/// A reducer is synchronous and touches nothing but `state` and the values of `environment`. A feature's reducer
/// handles its own `Action`; its effects send the application's `RootAction`.
public protocol SwiduxReducer<State, Action, RootAction, Environment> {
    associatedtype State
    associatedtype Action
    associatedtype RootAction
    associatedtype Environment

    /// Changes `state` in place for `action`, and may return work to be started once the change is made.
    func reduce(state: inout State, action: Action, environment: Environment) -> Effect<RootAction>?
}

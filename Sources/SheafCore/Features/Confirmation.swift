/// The answer to a question.
public enum ConfirmationAction: Hashable, Sendable {
    case accepted, declined
}

struct ConfirmationReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: ConfirmationAction, environment: AppEnvironment
    ) -> Effect? {
        guard case .confirmation(let confirmation) = state.ui.mode else { return nil }
        state.ui.mode = .normal
        guard action == .accepted else { return nil }
        return AppReducer().reduce(
            state: &state, action: confirmation.confirmed, environment: environment)
    }
}
